import assert from "node:assert/strict";
import { it } from "node:test";
import type { VSphereMachine } from "@rookery/api";
import { virtualMachineName } from "./virtual-machine.ts";

const machine = (os?: "Linux" | "Windows"): VSphereMachine => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
  kind: "VSphereMachine",
  metadata: {},
  spec: { template: "t", network: { devices: [{ networkName: "n" }] }, ...(os && { os }) },
});

const names: Record<string, [VSphereMachine, string, string]> = {
  "a virtual machine is named after the Machine": [
    machine(),
    "a-very-long-cluster-md-0-abcde",
    "a-very-long-cluster-md-0-abcde",
  ],
  "one with Windows keeps a short name": [machine("Windows"), "windows-1", "windows-1"],
  "one with Windows keeps the beginning and the end of a long name": [
    machine("Windows"),
    "a-cluster-md-0-abcde",
    "a-cluster-abcde",
  ],
  "one with Windows has no two dashes": [
    machine("Windows"),
    "clusters-md-0-abcde",
    "clusters-abcde",
  ],
};

for (const [sentence, [spec, machineName, expected]] of Object.entries(names)) {
  it(sentence, () => assert.equal(virtualMachineName(spec, machineName), expected));
}
