import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { run } from "../../test/run.ts";
import { type HiddenWarnings, shownWarnings } from "./move.ts";
import { formatMoveReport } from "./move-report.ts";

describe("rookery move", () => {
  it("says what it takes, with examples", async () => {
    const { code, output } = await run("move --help");
    assert.equal(code, 0);
    assert.match(output, /--to-kubeconfig <file>/);
    assert.match(output, /rookery move --to-directory backup/);
  });

  const refused: Readonly<Record<string, RegExp>> = {
    move: /a move needs a target: --to-kubeconfig/,
    "move --rollback": /a move needs a target/,
    "move --to-directory=a --to-kubeconfig=b": /--to-directory and --to-kubeconfig do not go/,
    "move --to-directory=a --from-directory=b": /--to-directory and --from-directory do not go/,
    "move --from-directory=a --kubeconfig=b": /--from-directory and --kubeconfig do not go/,
    "move --from-directory=a --cluster=b": /--from-directory and --cluster do not go/,
    "move --to-kubeconfig=a --dry-run --rollback": /--dry-run and --rollback do not go/,
    "move --to-kubeconfig=a -o xml": /Allowed choices are text, json, yaml\. /,
    "move --to-kubeconfig=a --hide-api-warnings=some": /Allowed choices are default, all, none\. /,
  };
  for (const [args, message] of Object.entries(refused)) {
    it(`refuses "${args}"`, async () => {
      const { code, errors } = await run(args);
      assert.equal(code, 2);
      assert.match(errors, message);
    });
  }

  it("names the kubeconfig that is not there", async () => {
    const { code, errors } = await run("move --dry-run --kubeconfig=/nowhere/kubeconfig");
    assert.equal(code, 1);
    assert.match(errors, /\/nowhere\/kubeconfig/);
  });
});

describe("shownWarnings", () => {
  const finalizers = 'metadata.finalizers: "infra": prefer a domain-qualified finalizer name';
  const cases: Readonly<Record<HiddenWarnings, readonly string[]>> = {
    default: ["v1 is deprecated"],
    all: [],
    none: [finalizers, "v1 is deprecated"],
  };
  for (const [hidden, shown] of Object.entries(cases)) {
    it(`hides ${hidden}`, () => {
      const isShown = shownWarnings(hidden as HiddenWarnings);
      assert.deepEqual([finalizers, "v1 is deprecated"].filter(isShown), shown);
    });
  }
});

describe("formatMoveReport", () => {
  const report = {
    namespace: "team",
    moved: [{ kind: "Cluster", key: { namespace: "team", name: "a" } }],
    copied: [{ kind: "Identity", key: { name: "account" }, why: "others may use it" }],
    left: [{ kind: "Plain", key: { namespace: "team", name: "x" }, why: "no cluster owns it" }],
  };

  it("lists everything ahead of a move", () => {
    assert.equal(
      formatMoveReport(report, true),
      `move   Cluster team/a
copy   Identity account  others may use it
leave  Plain team/x      no cluster owns it
1 would be moved, 1 would be copied, 1 left
`,
    );
  });

  it("lists what is not just moved after one", () => {
    assert.equal(
      formatMoveReport(report, false),
      `copy   Identity account  others may use it
leave  Plain team/x      no cluster owns it
1 moved, 1 copied, 1 left
`,
    );
  });

  it("says that there is nothing", () => {
    const nothing = { namespace: "team", moved: [], copied: [], left: [] };
    assert.equal(formatMoveReport(nothing, false), "there is nothing to move in namespace team\n");
  });
});
