import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AdmissionContext } from "@rookery/runtime";
import { clusterWith, hosts, machineOn } from "../../test/objects.ts";
import { hostClusterValidator } from "./host-cluster.ts";

describe("a HostCluster", () => {
  const validator = hostClusterValidator(async () => [machineOn("rack-2", "worker")]);
  const context = {} as AdmissionContext;
  const [first, , third] = hosts;
  assert.ok(first && third);

  it("is accepted with different addresses", () => {
    assert.equal(validator.create?.(clusterWith(hosts), context), undefined);
  });

  it("is rejected when two hosts share an address", () => {
    const cluster = clusterWith([first, { ...third, address: first.address }]);
    const rejects = () => validator.create?.(cluster, context);
    assert.throws(rejects, /spec\.hosts\[1\]\.address: Duplicate value: "10\.0\.0\.11"/);
  });

  it("loses a host that no machine uses", async () => {
    const without = clusterWith(hosts.filter(({ name }) => name !== "rack-3"));
    await validator.update?.(without, clusterWith(hosts), context);
  });

  it("keeps a host that a machine uses", async () => {
    const without = clusterWith(hosts.filter(({ name }) => name !== "rack-2"));
    await assert.rejects(
      async () => validator.update?.(without, clusterWith(hosts), context),
      /rack-2 is used by the HostMachine worker: delete its Machine first/,
    );
  });
});
