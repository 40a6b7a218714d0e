import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { createTemporaryFolder } from "@rookery/testing";

const file = new URL("own-process.ts", import.meta.url).href;

/** The outcome in a process with or without a compile cache. */
async function outcomeIn(env: Readonly<Record<string, string>>): Promise<unknown> {
  const source = `
    import { compileCacheEnvironment } from ${JSON.stringify(file)};
    console.log(JSON.stringify(compileCacheEnvironment()));`;
  const args = ["--input-type=module", "--eval", source];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout);
}

describe("compileCacheEnvironment", () => {
  it("passes on the folder of this process", async () => {
    await using folder = await createTemporaryFolder("compile-cache");
    const environment = { NODE_COMPILE_CACHE: join(folder.path, "cache") };
    assert.deepEqual(await outcomeIn(environment), environment);
  });

  it("is empty without a cache", async () => {
    assert.deepEqual(await outcomeIn({}), {});
  });
});
