import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { UsageError } from "../errors.ts";
import { run } from "./proxy.ts";

describe("rookery proxy", () => {
  const call = async (args: readonly string[], used = io()) => run(args, used, "rookery proxy");
  const io = (write: (text: string) => void = assert.fail) => ({
    write,
    writeError: assert.fail,
    env: {},
    readInput: async () => "",
  });

  it("says what it takes", async () => {
    const written: string[] = [];
    await call(
      ["--help"],
      io((text) => void written.push(text)),
    );
    const help = written.join("");
    assert.match(help, /^Usage: rookery proxy/);
    for (const flag of ["upstream", "api-group-suffix", "map", "rule", "callback-bind-address"]) {
      assert.ok(help.includes(`--${flag} `), flag);
    }
  });

  it("names everything that is wrong with its arguments at once", async () => {
    const args = ["--api-group-suffix=a.dev=nodot", "--identity=root", "--tsl-cert-dir=x"];
    await assert.rejects(call(args), (error: Error) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, /"nodot" must contain '\.'/);
      assert.match(error.message, /--identity=root: it must be app or proxy/);
      assert.match(error.message, /did you mean --tls-cert-dir\?/);
      assert.match(error.message, /"rookery proxy --help" says what it takes/);
      return true;
    });
  });

  it("fails where the API server is not known, and says which file is missing", async () => {
    const args = ["--upstream=/nowhere/kubeconfig"];
    await assert.rejects(
      call(args),
      /could not use kubeconfig \/nowhere\/kubeconfig: there is no such file/,
    );
  });
});
