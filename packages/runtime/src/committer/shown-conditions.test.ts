import assert from "node:assert/strict";
import { it } from "node:test";
import type { Condition, KubeObject } from "@rookery/kube";
import { withShownConditions } from "./committer.ts";

function saying(message: string): KubeObject & { status: { conditions: Condition[] } } {
  const lastTransitionTime = "2026-01-01T00:00:00Z";
  const condition = { type: "Ready", status: "False", reason: "Failed", message } as const;
  return {
    apiVersion: "v1",
    kind: "Nest",
    metadata: { name: "a" },
    status: { conditions: [{ ...condition, lastTransitionTime }] },
  };
}

it("an object whose conditions may be shown stays the very same", () => {
  const object = saying("* Machine a:\n  * it has no node");
  assert.equal(withShownConditions(object), object);
  const bare = { apiVersion: "v1", kind: "Nest", metadata: { name: "a" } };
  assert.equal(withShownConditions(bare), bare);
});

it("what a server has said is cut, and told to no terminal, in a way that stays", () => {
  const shown = withShownConditions(saying(`\u001b[2J${"x".repeat(1_000_000)}`));
  const [{ message } = assert.fail()] = shown.status.conditions;
  assert.equal(message.length, 4096);
  assert.match(message, /^\\u001b\[2Jx+…$/);
  assert.equal(withShownConditions(shown), shown);
});
