import assert from "node:assert/strict";
import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "@rookery/testing";
import { programMounts } from "./program-mounts.ts";

/** Of nobody on this machine. */
const user = { uid: 61_234, gid: 61_234, groups: [] };

async function scene() {
  const folder = await createTemporaryFolder("programs");
  await chmod(folder.path, 0o755);
  const closed = join(folder.path, "closed");
  await mkdir(join(closed, "app"), { recursive: true });
  await chmod(join(closed, "app"), 0o755);
  await writeFile(join(closed, "app", "program"), "program");
  await chmod(join(closed, "app", "program"), 0o755);
  const options = { user, folder: join(folder.path, "own"), shared: join(folder.path, "shared") };
  return {
    path: folder.path,
    closed,
    options,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe("what another user sees of a program", () => {
  it("is nothing new where that user may enter", async () => {
    await using at = await scene();
    const { closed, options } = at;
    await chmod(closed, 0o755);
    assert.deepEqual(programMounts({ files: [join(closed, "app", "program")] }, options), []);
  });

  it("is an empty folder in place of the closed one, and the program in it", async () => {
    await using at = await scene();
    const { closed, options } = at;
    await chmod(closed, 0o700);
    const program = join(closed, "app", "program");
    const mounts = programMounts({ files: [join(closed, "app"), program] }, options);
    const [veil, ...others] = mounts;
    assert.equal(veil?.target, closed);
    assert.deepEqual(await readdir(veil?.source ?? ""), []);
    assert.equal((await stat(veil?.source ?? "")).mode & 0o777, 0o755);
    assert.deepEqual(
      others.map(({ source, target, readOnly }) => [source, target, readOnly]),
      [join(closed, "app"), program].map((path) => [path, path, true]),
    );
  });

  it("is a copy of a file that its owner alone may read, made once", async () => {
    await using at = await scene();
    const { closed, options } = at;
    await chmod(closed, 0o755);
    const program = join(closed, "app", "program");
    await chmod(program, 0o700);
    const [first] = programMounts({ files: [program] }, options);
    assert.equal(first?.target, program);
    assert.equal((await stat(first?.source ?? "")).mode & 0o777, 0o755);
    assert.deepEqual(programMounts({ files: [program] }, options), [first]);
  });

  it("is refused for a folder that its owner alone may read", async () => {
    await using at = await scene();
    const { closed, options } = at;
    await chmod(join(closed, "app"), 0o700);
    const files = [join(closed, "app")];
    assert.throws(() => programMounts({ files }, options), { code: "UnreadableProgram" });
  });

  it("is a cache of that user's own", { skip: process.getuid?.() !== 0 }, async () => {
    await using at = await scene();
    const { path, options } = at;
    const cache = join(path, "cache");
    const [mount] = programMounts({ cache }, options);
    assert.equal(mount?.target, cache);
    const { uid, mode } = await stat(mount?.source ?? "");
    assert.deepEqual([uid, mode & 0o777], [user.uid, 0o700]);
  });
});
