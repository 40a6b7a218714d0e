import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FlagsError } from "@rookery/runtime";
import { parseConciergeFlags } from "./flags.ts";

describe("the flags of the concierge", () => {
  it("have defaults that need nothing to be said", () => {
    const flags = parseConciergeFlags([]);
    assert.ok(!flags.help);
    assert.equal(flags.securePort, 10_250);
    assert.equal(flags.service, "rookery-concierge");
    assert.equal(flags.apiGroupSuffix, "");
  });

  it("take the default suffix by its name, too", () => {
    assert.ok(!parseConciergeFlags(["--api-group-suffix=pinniped.dev"]).help);
  });

  const refused: Record<string, [args: readonly string[], problems: readonly RegExp[]]> = {
    "a suffix without a dot": [["--api-group-suffix=team1"], [/must contain '\.'/]],
    "a suffix that overlaps with the default one": [
      ["--api-group-suffix=team1.pinniped.dev"],
      [/overlap/],
    ],
    "a suffix that belongs to Kubernetes": [["--api-group-suffix=k8s.io"], [/Kubernetes/]],
    "half a key": [["--signing-key-file=a"], [/give both, or none/]],
    "two keys, and a suffix that belongs to Kubernetes": [
      [
        "--signing-secret=a",
        "--signing-cert-file=b",
        "--signing-key-file=c",
        "--api-group-suffix=k8s.io",
      ],
      [/Kubernetes/, /does not go together/],
    ],
  };
  for (const [name, [args, problems]] of Object.entries(refused)) {
    it(`refuse ${name}`, () => {
      assert.throws(
        () => parseConciergeFlags(args),
        (error: FlagsError) => {
          assert.ok(error instanceof FlagsError);
          assert.equal(error.problems.length, problems.length, error.message);
          for (const problem of problems) assert.match(error.message, problem);
          return true;
        },
      );
    });
  }
});
