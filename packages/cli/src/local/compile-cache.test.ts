import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { createTemporaryFolder } from "@rookery/testing";

const file = new URL("compile-cache.ts", import.meta.url).href;

/** What a process says that has its compile cache in a folder, or none. */
async function saidBy(env: Readonly<Record<string, string>>): Promise<unknown> {
  const source = `
    import { compileCacheEnvironment } from ${JSON.stringify(file)};
    console.log(JSON.stringify(compileCacheEnvironment()));`;
  const args = ["--input-type=module", "--eval", source];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout);
}

describe("compileCacheEnvironment", () => {
  it("hands on the folder that this process was told", async () => {
    await using folder = await createTemporaryFolder("compile-cache");
    const told = { NODE_COMPILE_CACHE: join(folder.path, "cache") };
    assert.deepEqual(await saidBy(told), told);
  });

  it("says nothing where there is no cache", async () => {
    assert.deepEqual(await saidBy({}), {});
  });
});
