import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runCommand } from "./command.ts";
import { mountsBelow, removeFolder } from "./remove-folder.ts";

const canMount = process.platform === "linux" && process.getuid?.() === 0;

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "rookery-remove-"));
  await mkdir(join(folder, "a b"), { recursive: true });
  await writeFile(join(folder, "a b", "file"), "content");
  return folder;
}

test("a folder is removed with what is in it, and again", async () => {
  const folder = await makeFolder();
  await removeFolder(folder);
  assert.equal(existsSync(folder), false);
  await removeFolder(folder);
});

test("what is mounted below a folder is unmounted, not deleted", { skip: !canMount }, async () => {
  const folder = await makeFolder();
  const other = await makeFolder();
  await runCommand("mount", ["--bind", other, join(folder, "a b")]);
  assert.deepEqual(await mountsBelow(folder), [join(folder, "a b")]);
  await removeFolder(folder);
  assert.equal(existsSync(folder), false);
  assert.equal(existsSync(join(other, "a b", "file")), true, "the other side is whole");
  await removeFolder(other);
});
