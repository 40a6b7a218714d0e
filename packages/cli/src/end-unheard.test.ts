import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";

const main = join(import.meta.dirname, "main.ts");

/** What a shell shows of a command whose output nobody reads after its first line. */
async function throughHead(command: readonly string[]) {
  const pipe = '{ "$@"; echo "exit code $?" >&2; } | head -n 1';
  const { stdout, stderr } = await promisify(execFile)("/bin/sh", ["-c", pipe, "sh", ...command]);
  return { stdout, stderr };
}

describe("a command whose output nobody reads any longer", () => {
  it("ends without a word, as if by SIGPIPE", async () => {
    const seen = await throughHead([process.execPath, main, "crds"]);
    assert.match(seen.stdout, /^\S.*\n$/);
    assert.equal(seen.stderr, "exit code 141\n");
  });

  it("ends in order where it serves", async () => {
    const source = `
      import { endUnheard } from ${JSON.stringify(new URL("end-unheard.ts", import.meta.url))};
      endUnheard([process.stdout, process.stderr]);
      const serving = setInterval(() => process.stdout.write("a line\\n"), 5);
      process.once("SIGTERM", () => {
        clearInterval(serving);
        process.exitCode = 7;
      });`;
    const args = ["--input-type=module", "--eval", source];
    const seen = await throughHead([process.execPath, ...args]);
    assert.deepEqual(seen, { stdout: "a line\n", stderr: "exit code 7\n" });
  });
});
