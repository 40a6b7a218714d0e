import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VSphereMachine, VSphereVM } from "@rookery/api";
import type { ObjectMeta } from "@rookery/kube";
import {
  apiVersion,
  asked,
  type CloneSpec,
  cloneSpec,
  devices,
} from "../../test/webhooks/admission.ts";
import { machineValidator, virtualMachineValidator } from "./machine.ts";

const machine = (changes?: Partial<CloneSpec>, metadata: ObjectMeta = {}): VSphereMachine => ({
  apiVersion,
  kind: "VSphereMachine",
  metadata: { name: "m", ...metadata },
  spec: cloneSpec(changes),
});

describe("a machine", () => {
  const accepted: Record<string, Partial<CloneSpec>> = {
    "who it is": { providerID: "vsphere://1" },
    "how it ends": { powerOffMode: "trySoft", guestSoftPowerOffTimeout: "1m" },
    "its network devices": { network: devices(["10.0.0.7/24", "fd00::7/64"]) },
  };
  for (const [what, changes] of Object.entries(accepted)) {
    it(`may be told ${what} later`, async () => {
      await machineValidator.update?.(machine(changes), machine(), asked());
    });
  }

  const refused: Record<string, [Partial<CloneSpec>, RegExp]> = {
    "its template": [{ template: "b" }, /spec\.template: Forbidden: it cannot be changed/],
    "its size": [{ numCPUs: 8 }, /spec\.numCPUs: Forbidden/],
    "its server": [{ server: "other" }, /spec\.server: Forbidden/],
    "its routes": [
      { network: { devices: [], routes: [{ to: "a", via: "b", metric: 1 }] } },
      /spec\.network\.routes: Forbidden/,
    ],
    "an address without a prefix": [
      { network: devices(["10.0.0.7"]) },
      /spec\.network\.devices\[0\]\.ipAddrs\[0\]: Invalid value: "10\.0\.0\.7"/,
    ],
    "a prefix that is too long": [{ network: devices(["10.0.0.7/33"]) }, /ipAddrs\[0\]: Invalid/],
    "a time of nothing": [
      { powerOffMode: "trySoft", guestSoftPowerOffTimeout: "0s" },
      /guestSoftPowerOffTimeout: Invalid value: "0s": it must be greater than 0/,
    ],
  };
  for (const [what, [changes, message]] of Object.entries(refused)) {
    it(`is refused another of ${what}`, async () => {
      const update = async () => machineValidator.update?.(machine(changes), machine(), asked());
      await assert.rejects(update, message);
    });
  }

  it("that could not be created today can be let go of", async () => {
    const old = machine({ network: devices(["bad"]) });
    await machineValidator.update?.({ ...old, metadata: { finalizers: [] } }, old, asked());
  });
});

const vm = (changes: Partial<VSphereVM["spec"]> = {}, name = "m"): VSphereVM => ({
  apiVersion,
  kind: "VSphereVM",
  metadata: { name },
  spec: { ...cloneSpec(), ...changes },
});

describe("a virtual machine", () => {
  it("is told its UUID once", async () => {
    await virtualMachineValidator.update?.(vm({ biosUUID: "a" }), vm(), asked());
    const again = async () =>
      virtualMachineValidator.update?.(vm({ biosUUID: "b" }), vm({ biosUUID: "a" }), asked());
    await assert.rejects(again, /spec\.biosUUID: Forbidden/);
  });

  it("with Windows has a short name", async () => {
    const create = async (name: string) =>
      virtualMachineValidator.create?.(vm({ os: "Windows" }, name), asked());
    await create("fifteen-letters");
    await assert.rejects(create("sixteen--letters"), /metadata\.name: Invalid value/);
  });
});
