import assert from "node:assert/strict";
import { test } from "node:test";
import type { Container, PodSpec } from "@rookery/api";
import { requestsOf } from "./pod-requests.ts";

const asking = (cpu: string, more: Container = {}): Container => ({
  ...more,
  resources: { requests: { cpu } },
});

const rows: Record<string, [spec: PodSpec, cpu: bigint | undefined]> = {
  "of nothing is nothing": [{ containers: [{}] }, undefined],
  "of containers are added": [{ containers: [asking("100m"), asking("1")] }, 1100n],
  "are the limits where there are only those": [
    { containers: [{ resources: { limits: { cpu: "2" } } }] },
    2000n,
  ],
  "are those of an init container that asks for more": [
    { containers: [asking("1")], initContainers: [asking("3"), asking("2")] },
    3000n,
  ],
  "have sidecars beside the containers": [
    { containers: [asking("1")], initContainers: [asking("500m", { restartPolicy: "Always" })] },
    1500n,
  ],
  "have sidecars beside init containers that come later": [
    {
      containers: [asking("1")],
      initContainers: [asking("500m", { restartPolicy: "Always" }), asking("2")],
    },
    2500n,
  ],
  "are what the pod says as a whole": [
    { containers: [asking("1")], resources: { requests: { cpu: "700m" } } },
    700n,
  ],
  "have the overhead": [{ containers: [asking("1")], overhead: { cpu: "50m" } }, 1050n],
};

for (const [name, [spec, cpu]] of Object.entries(rows)) {
  test(`requests ${name}`, () => assert.equal(requestsOf({ spec }).get("cpu"), cpu));
}
