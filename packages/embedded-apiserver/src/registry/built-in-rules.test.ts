import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { builtInRules, storagePrefixOf } from "./built-in-rules.ts";

describe("what kube-apiserver does for some kinds only", () => {
  it("is to warn those who delete a job of the pods that stay", () => {
    const { propagationWarning = "" } = builtInRules({ group: "batch", plural: "jobs" });
    assert.match(propagationWarning, /^child pods are preserved by default/);
    assert.deepEqual(builtInRules({ group: "batch", plural: "cronjobs" }), {});
  });

  it("is to keep the priority classes of the system", () => {
    const rules = builtInRules({ group: "scheduling.k8s.io", plural: "priorityclasses" });
    assert.match(rules.deletionProblem?.("system-node-critical") ?? "", /cannot be deleted$/);
    assert.equal(rules.deletionProblem?.("mine"), undefined);
  });

  it("is to answer some deletions with the object", () => {
    assert.equal(builtInRules({ group: "", plural: "pods" }).returnsDeletedObject, true);
    assert.equal(builtInRules({ group: "", plural: "configmaps" }).returnsDeletedObject, undefined);
  });

  it("is to keep some under keys with other names", () => {
    assert.equal(storagePrefixOf({ group: "", plural: "nodes" }), "/registry/minions");
    assert.equal(
      storagePrefixOf({ group: "apps", plural: "deployments" }),
      "/registry/deployments",
    );
  });
});
