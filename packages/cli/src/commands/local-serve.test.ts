import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { rookery } from "../program.ts";

async function run(...args: readonly string[]) {
  const seen = { output: "", errors: "" };
  const code = await rookery(["local", "serve", ...args], {
    write: (text) => {
      seen.output += text;
    },
    writeError: (text) => {
      seen.errors += text;
    },
    readInput: async () => "",
    env: { XDG_DATA_HOME: "/data" },
  });
  return { code, ...seen };
}

describe("rookery local serve", () => {
  it("tells its flags, and where data stays unless told otherwise", async () => {
    const { code, output } = await run("--help");
    assert.equal(code, 0);
    for (const flag of ["--address", "--port", "--kubeconfig", "--tls-san"]) {
      assert.match(output, new RegExp(flag));
    }
    assert.match(output, /\/data\/rookery\/local/);
  });

  const refusals: Record<string, [args: string[], why: RegExp]> = {
    "a port that is none": [["--port", "70000"], /a port is a number from 0 to 65535/],
    "a time that is none": [["--history", "5m"], /a number of seconds, such as 300/],
    "a flag that there is not": [["--etcd-servers", "x"], /unknown option '--etcd-servers'/],
  };
  for (const [what, [args, why]] of Object.entries(refusals)) {
    it(`refuses ${what}`, async () => {
      const { code, errors } = await run(...args);
      assert.equal(code, 2);
      assert.match(errors, why);
    });
  }
});
