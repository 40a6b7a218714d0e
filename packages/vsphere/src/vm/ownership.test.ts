import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VSphereVM } from "@rookery/api";
import { assertOwner } from "./ownership.ts";

const machine = { type: "VirtualMachine", value: "vm-7" };

function vm(status: VSphereVM["status"] = {}): VSphereVM {
  return {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "VSphereVM",
    metadata: { namespace: "mallory", name: "m", uid: "u" },
    spec: { template: "t", network: { devices: [{ networkName: "n" }] }, biosUUID: "b" },
    status,
  };
}

describe("a virtual machine is an object's", () => {
  const table: Record<
    string,
    [isMadeForIt: boolean, owner: string | undefined, VSphereVM, ok: boolean]
  > = {
    "where it was made for the object": [true, undefined, vm(), true],
    "where it was made for the namespace, as after a move": [false, "mallory", vm(), true],
    "where it was the object's before machines had a namespace": [
      false,
      undefined,
      vm({ vmRef: "VirtualMachine:vm-7" }),
      true,
    ],
    "not where the object merely names its UUID": [false, undefined, vm(), false],
    "not where it was made for another namespace": [false, "victim", vm(), false],
    "not where it was made for another namespace, whatever was known of it": [
      false,
      "victim",
      vm({ vmRef: "VirtualMachine:vm-7" }),
      false,
    ],
    "not where the object had another machine": [
      false,
      undefined,
      vm({ vmRef: "VirtualMachine:vm-8" }),
      false,
    ],
  };
  for (const [what, [isMadeForIt, owner, object, ok]] of Object.entries(table)) {
    it(what, () => {
      const judge = () =>
        assertOwner(object, { machine, isMadeForIt, owner }, { adoptsAny: false });
      if (ok) return judge();
      assert.throws(judge, { code: "ForeignMachine", message: /--adopt-virtual-machines/ });
    });
  }

  it("wherever a flag says so", () => {
    const found = { machine, isMadeForIt: false, owner: "victim" };
    assertOwner(vm(), found, { adoptsAny: true });
  });
});
