import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { run } from "../../test/run.ts";

const serve = (...args: readonly string[]) =>
  run(["local", "serve", ...args], { env: { XDG_DATA_HOME: "/data" } });

describe("rookery local serve", () => {
  it("tells its flags, and where data stays unless told otherwise", async () => {
    const { code, output } = await serve("--help");
    assert.equal(code, 0);
    for (const flag of ["--address", "--port", "--kubeconfig", "--tls-san"]) {
      assert.match(output, new RegExp(flag));
    }
    assert.match(output, /\/data\/rookery\/local/);
  });

  const refusals: Record<string, [args: string[], why: RegExp]> = {
    "a port that is none": [["--port", "70000"], /a port is a number from 0 to 65535/],
    "a time that is none": [["--history", "5m"], /a number of seconds, such as 300/],
    "certificates of which some are missing": [
      ["--client-ca-file", "ca.crt", "--tls-cert-file", "tls.crt"],
      /given all together: --tls-private-key-file, .*--cluster-signing-key-file are missing/,
    ],
    "a flag that there is not": [["--etcd-servers", "x"], /unknown option '--etcd-servers'/],
  };
  for (const [what, [args, why]] of Object.entries(refusals)) {
    it(`refuses ${what}`, async () => {
      const { code, errors } = await serve(...args);
      assert.equal(code, 2);
      assert.match(errors, why);
    });
  }

  it("says at once that data can't be kept in /proc", {
    skip: process.platform !== "linux",
  }, async () => {
    const { code, errors } = await serve("--data", "/proc/rookery", "--port", "0");
    assert.equal(code, 1);
    assert.match(
      errors,
      /could not open the store in \/proc\/rookery: nothing can be made in \/proc/,
    );
    assert.match(errors, /take a folder that can be written/);
  });
});
