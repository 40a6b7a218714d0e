import assert from "node:assert/strict";
import { chmod, lstat, mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "@rookery/testing";
import { applyFsGroup } from "./volume-ownership.ts";

const skip = process.getuid?.() === 0 ? false : "only root gives files to another group";
const fsGroup = 61_234;

/** A volume as root wrote it, with a link out of it, and a file out there. */
async function volume() {
  const folder = await createTemporaryFolder("given");
  const path = join(folder.path, "volume");
  const outside = join(folder.path, "outside");
  await mkdir(join(path, "deep"), { recursive: true, mode: 0o700 });
  for (const file of [outside, join(path, "file"), join(path, "deep", "key")]) {
    await writeFile(file, "", { mode: 0o600 });
  }
  await symlink(outside, join(path, "deep", "link"));
  return { path, outside, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const seen = async (path: string) => {
  const { gid, mode } = await stat(path);
  return [gid, mode & 0o7777];
};

describe("a volume of a group", { skip }, () => {
  it("can be read and written by it, and what is made in it belongs to it", async () => {
    await using scene = await volume();
    applyFsGroup(scene.path, { fsGroup });
    assert.deepEqual(await seen(scene.path), [fsGroup, 0o2770]);
    assert.deepEqual(await seen(join(scene.path, "deep")), [fsGroup, 0o2770]);
    assert.deepEqual(await seen(join(scene.path, "deep", "key")), [fsGroup, 0o660]);
  });

  it("gives nothing away that a link in it leads to", async () => {
    await using scene = await volume();
    applyFsGroup(scene.path, { fsGroup });
    assert.deepEqual(await seen(scene.outside), [0, 0o600]);
    assert.equal((await lstat(join(scene.path, "deep", "link"))).gid, fsGroup);
  });

  it("is looked through once where its policy says so", async () => {
    await using scene = await volume();
    const context = { fsGroup, fsGroupChangePolicy: "OnRootMismatch" };
    applyFsGroup(scene.path, context);
    await chmod(join(scene.path, "file"), 0o600);
    applyFsGroup(scene.path, context);
    assert.equal((await stat(join(scene.path, "file"))).mode & 0o777, 0o600);
    applyFsGroup(scene.path, { fsGroup });
    assert.equal((await stat(join(scene.path, "file"))).mode & 0o777, 0o660);
  });

  it("stays as it is without a group", async () => {
    await using scene = await volume();
    applyFsGroup(scene.path, {});
    assert.deepEqual(await seen(scene.path), [0, 0o700]);
  });
});
