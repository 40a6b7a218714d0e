import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VSphereClusterTemplate, VSphereMachineTemplate } from "@rookery/api";
import { isInvalid } from "@rookery/kube";
import {
  apiVersion,
  asked,
  type CloneSpec,
  cloneSpec,
  devices,
} from "../../test/webhooks/admission.ts";
import { clusterTemplateValidator, machineTemplateValidator } from "./templates.ts";

describe("a template of machines", () => {
  const template = (changes?: Partial<CloneSpec>, annotations = {}): VSphereMachineTemplate => ({
    apiVersion,
    kind: "VSphereMachineTemplate",
    metadata: { name: "t", annotations },
    spec: { template: { spec: cloneSpec(changes) } },
  });

  it("cannot be changed", async () => {
    const update = async () =>
      machineTemplateValidator.update?.(template({ numCPUs: 8 }), template(), asked());
    await assert.rejects(update, /spec\.template\.spec\.numCPUs: Forbidden/);
  });

  it("can be compared by the topology controller, in a dry run of its own alone", async () => {
    const changed = template({ numCPUs: 8 }, { "topology.cluster.x-k8s.io/dry-run": "" });
    await machineTemplateValidator.update?.(changed, template(), asked(changed, true));
    const stored = async () =>
      machineTemplateValidator.update?.(changed, template(), asked(changed, false));
    await assert.rejects(stored, isInvalid);
    const other = template({ numCPUs: 8 });
    const dryRun = async () =>
      machineTemplateValidator.update?.(other, template(), asked(other, true));
    await assert.rejects(dryRun, isInvalid);
  });

  it("says nothing that only one machine can have", async () => {
    const create = async (changes: Partial<CloneSpec>) =>
      machineTemplateValidator.create?.(template(changes), asked());
    await assert.rejects(create({ providerID: "vsphere://1" }), /providerID: Forbidden/);
    await assert.rejects(create({ network: devices(["10.0.0.7/24"]) }), /ipAddrs: Forbidden/);
  });
});

describe("a template of clusters", () => {
  const template = (server: string): VSphereClusterTemplate => ({
    apiVersion,
    kind: "VSphereClusterTemplate",
    metadata: { name: "t" },
    spec: { template: { spec: { server } } },
  });

  it("cannot be changed", async () => {
    const update = async () =>
      clusterTemplateValidator.update?.(template("b"), template("a"), asked());
    await assert.rejects(update, /spec\.template\.spec\.server: Forbidden/);
  });
});
