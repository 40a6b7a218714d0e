import assert from "node:assert/strict";
import { chmod, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "@rookery/testing";
// biome-ignore lint/correctness/useImportExtensions: a plain file, which comes before all TypeScript.
import { enableCompileCache } from "./enable-compile-cache.mjs";

describe("the place of compiled code", () => {
  it("is a folder of this user alone, and not one of the machine's temporary ones", async () => {
    await using folder = await createTemporaryFolder("compiled");
    enableCompileCache({ XDG_CACHE_HOME: folder.path });
    const made = await stat(join(folder.path, "rookery", "compiled"));
    assert.equal(made.mode & 0o777, 0o700);
  });

  it("is none that others may write, or that somebody else has made", async () => {
    await using folder = await createTemporaryFolder("compiled");
    const compiled = join(folder.path, "rookery", "compiled");
    await mkdir(compiled, { recursive: true });
    await chmod(compiled, 0o777);
    assert.equal(enableCompileCache({ XDG_CACHE_HOME: folder.path }), undefined);
    await chmod(compiled, 0o700);
    const { uid } = await stat(compiled);
    assert.equal(enableCompileCache({ XDG_CACHE_HOME: folder.path }, uid + 1), undefined);
  });
});
