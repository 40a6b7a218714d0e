import assert from "node:assert/strict";
import { mkdir, readFile, readlink, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder, runCommand } from "@rookery/testing";
import { type TarEntry, tarSize, writeTar } from "./tar.ts";

const deep = `${"a-folder-with-a-long-name/".repeat(8)}file`;
const entries: TarEntry[] = [
  { path: "tmp", folder: true, mode: 0o1777 },
  { path: "empty", content: "" },
  { path: "exactly-one-block", content: "x".repeat(512) },
  { path: "bin/run", content: "#!/bin/sh\n", mode: 0o755 },
  { path: "bin/link", link: "run" },
  { path: deep, content: "deep" },
  { path: "long-link", link: deep },
  { path: "schön/nest", content: "Ei" },
];

async function collect(list: readonly TarEntry[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeTar(list)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test("tar reads what was written", async () => {
  await using folder = await createTemporaryFolder("tar");
  await writeFile(join(folder.path, "a.tar"), await collect(entries));
  const out = join(folder.path, "out");
  await mkdir(out);
  await runCommand("tar", ["-xpf", join(folder.path, "a.tar"), "-C", out]);

  const text = (path: string) => readFile(join(out, path), "utf8");
  assert.equal(await text("exactly-one-block"), "x".repeat(512));
  assert.equal(await text("empty"), "");
  assert.equal(await text(deep), "deep");
  assert.equal(await text("schön/nest"), "Ei");
  assert.equal(await readlink(join(out, "bin/link")), "run");
  assert.equal(await readlink(join(out, "long-link")), deep);
  assert.equal((await stat(join(out, "bin/run"))).mode & 0o7777, 0o755);
  assert.equal((await stat(join(out, "tmp"))).mode & 0o7777, 0o1777);
});

test("the size is known beforehand", async () => {
  assert.equal(tarSize(entries), (await collect(entries)).length);
});

test("a path of every length is kept, also where its record's length gains a digit", async () => {
  for (let length = 80; length < 130; length += 1) {
    const path = "p".repeat(length);
    const names = await runCommand("tar", ["-tf", "-"], {
      stdin: (await collect([{ path, content: "" }])).toString("latin1"),
    });
    assert.equal(names, `${path}\n`);
  }
});

test("the same entries give the same bytes, whenever their files were written", async () => {
  await using folder = await createTemporaryFolder("tar");
  const source = join(folder.path, "file");
  const archive = async () => {
    await writeFile(source, "content");
    return collect([{ path: "file", source }]);
  };
  assert.deepEqual(await archive(), await archive());
});
