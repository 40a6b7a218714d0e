import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "@rookery/testing";
import { findPodProgram } from "./pod-program.ts";

/** What makes a bundle in the place of the real one. */
const bundler = `
import { mkdirSync, writeFileSync } from "node:fs";
const [, , , folder] = process.argv;
mkdirSync(folder);
writeFileSync(folder + "/rookery.cjs", "");`;

async function clone(script: string | undefined) {
  const folder = await createTemporaryFolder("clone");
  const root = join(folder.path, "clone");
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  if (script !== undefined) await write("packages/packaging/src/commands/bundle.ts", script);
  await write("packages/cli/src/main.ts", "first");
  const told: string[] = [];
  const env = { ...process.env, XDG_CACHE_HOME: join(folder.path, "cache") };
  const { signal } = new AbortController();
  const find = () => findPodProgram({ env, root, signal, report: (text) => told.push(text) });
  return { write, find, told, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe("the program of the plane's pods", () => {
  it("is a bundle that is made once for each state of the sources", async () => {
    await using scene = await clone(bundler);
    const made = await scene.find();
    assert.ok(made !== undefined && existsSync(made));
    assert.equal(await scene.find(), made);
    await scene.write("packages/cli/src/main.test.ts", "a test is in no bundle");
    assert.equal(await scene.find(), made);
    assert.equal(scene.told.length, 1);
    await scene.write("packages/cli/src/main.ts", "second");
    assert.notEqual(await scene.find(), made);
  });

  it("can be read by pods of any user, whatever this process makes its files with", async () => {
    await using scene = await clone(bundler);
    const before = process.umask(0o077);
    const made = (await scene.find().finally(() => process.umask(before))) ?? "";
    assert.equal(statSync(made).mode & 0o777, 0o644);
    assert.equal(statSync(dirname(made)).mode & 0o777, 0o755);
  });

  it("is removed when nobody has used it for long", async () => {
    await using scene = await clone(bundler);
    const made = dirname((await scene.find()) ?? "");
    const then = new Date(Date.now() - 30 * 24 * 3600 * 1000);
    await utimes(made, then, then);
    await scene.write("packages/cli/src/main.ts", "second");
    const other = await scene.find();
    assert.deepEqual([existsSync(made), existsSync(other ?? "")], [false, true]);
  });

  it("is none where this is no clone, or it can't be made, which is told", async () => {
    await using installed = await clone(undefined);
    assert.equal(await installed.find(), undefined);
    assert.deepEqual(installed.told, []);
    await using broken = await clone("process.exit(3)");
    assert.equal(await broken.find(), undefined);
    assert.match(
      broken.told[1] ?? "",
      /^could not bundle the command, so that pods run its sources/,
    );
  });
});
