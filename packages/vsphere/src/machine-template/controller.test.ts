import assert from "node:assert/strict";
import { it } from "node:test";
import type { VSphereMachineTemplate } from "@rookery/api";
import { templateStatus } from "./controller.ts";

type Spec = VSphereMachineTemplate["spec"]["template"]["spec"];

const template = (spec: Partial<Spec>): VSphereMachineTemplate => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
  kind: "VSphereMachineTemplate",
  metadata: { name: "t" },
  spec: {
    template: {
      spec: { template: "ubuntu", network: { devices: [{ networkName: "n" }] }, ...spec },
    },
  },
});

it("a template says what its machines will have", () => {
  assert.deepEqual(templateStatus(template({ numCPUs: 4, memoryMiB: 8192, os: "Windows" })), {
    capacity: { cpu: "4", memory: "8192Mi" },
    nodeInfo: { operatingSystem: "windows" },
  });
});

it("a template that says nothing has the size that machines get then", () => {
  assert.deepEqual(templateStatus(template({})), {
    capacity: { cpu: "2", memory: "2048Mi" },
    nodeInfo: { operatingSystem: "linux" },
  });
});
