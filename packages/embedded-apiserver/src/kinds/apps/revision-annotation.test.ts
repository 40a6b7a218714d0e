import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { daemonSetKind } from "./daemon-set.ts";
import { deploymentKind } from "./deployment.ts";

const rollback = "deprecated.deployment.rollback.to";

describe("a number that older versions had as a field", () => {
  it("is written as a number is", () => {
    const deployment = { metadata: { annotations: { [rollback]: "+007" } } };
    deploymentKind.defaults?.(deployment);
    assert.deepEqual(deployment.metadata.annotations, { [rollback]: "7" });
  });

  it("is not kept where it is empty", () => {
    const deployment = { metadata: { annotations: { [rollback]: "", a: "b" } } };
    deploymentKind.defaults?.(deployment);
    assert.deepEqual(deployment.metadata.annotations, { a: "b" });
  });

  it("is refused where it is none", () => {
    const deployment = { metadata: { annotations: { [rollback]: "x" } } };
    assert.throws(() => deploymentKind.defaults?.(deployment), {
      message: `failed to parse annotation[${rollback}]=x as int64: strconv.ParseInt: parsing "x": invalid syntax`,
    });
    const annotations = { "deprecated.daemonset.template.generation": "99999999999999999999" };
    assert.throws(() => daemonSetKind.defaults?.({ metadata: { annotations } }), {
      message: 'strconv.ParseInt: parsing "99999999999999999999": value out of range',
    });
  });

  it("is no revision below zero", () => {
    const metadata = { annotations: { [rollback]: "-1" } };
    const problems = deploymentKind.validate?.({ metadata }) ?? [];
    assert.ok(problems.some(({ field }) => field === "spec.rollback.version"));
  });
});
