import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { restrictedContainer, restrictedPod } from "../restricted.ts";
import type { CheckedPod } from "./check.ts";
import { describePodSecurityViolations, podSecurityViolations } from "./evaluate.ts";
import type { PodSpec } from "./pod-spec.ts";

const good = { name: "main", securityContext: restrictedContainer };
const pod = (spec: PodSpec): CheckedPod => ({
  metadata: { name: "p" },
  spec: { securityContext: restrictedPod, containers: [good], ...spec },
});
/** A source that the rules do not know: the type of their volumes has no field for it. */
const otherSource: object = { emptyDir: {} };
const judged = (spec: PodSpec, level: "baseline" | "restricted" = "restricted") =>
  describePodSecurityViolations(podSecurityViolations(pod(spec), { level, version: "latest" }));

/** All rules are compared with a real API server where admission is tested. */
describe("the Pod Security Standards", () => {
  const rows: Record<string, readonly [spec: PodSpec, violation: string]> = {
    "take what keeps to them": [{}, ""],
    "look at containers of every kind": [
      { initContainers: [{ name: "first", securityContext: { privileged: true } }] },
      'privileged (container "first" must not set securityContext.privileged=true), ' +
        'allowPrivilegeEscalation != false (container "first" must set securityContext.allowPrivilegeEscalation=false), ' +
        'unrestricted capabilities (container "first" must set securityContext.capabilities.drop=["ALL"])',
    ],
    "name the source that is forbidden, wherever it is among others": [
      { volumes: [{ name: "v", ...otherSource, hostPath: {} }] },
      'restricted volume types (volume "v" uses restricted volume type "hostPath")',
    ],
  };
  for (const [name, [spec, violation]] of Object.entries(rows)) {
    it(name, () => assert.equal(judged(spec), violation));
  }

  it("ask less of a pod of the baseline", () => {
    assert.equal(judged({ containers: [{ name: "main" }], securityContext: {} }, "baseline"), "");
  });
});
