import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VSphereVM } from "@rookery/api";
import { apiVersion, asked, cloneSpec } from "../../test/webhooks/admission.ts";
import { virtualMachineValidator } from "./virtual-machine.ts";

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
