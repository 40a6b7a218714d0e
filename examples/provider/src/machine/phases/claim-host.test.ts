import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { clusterWith, hosts, machineOn } from "../../../test/objects.ts";
import type { HostMachine } from "../../kinds/host-machine.ts";
import { claimHost } from "./claim-host.ts";

function scopeWith(existing: readonly HostMachine[]) {
  const commits: HostMachine[] = [];
  const events: string[] = [];
  return {
    commits,
    events,
    listMachines: async () => existing,
    commit: async (_: HostMachine, desired: HostMachine) => {
      commits.push(desired);
      return desired;
    },
    recorder: {
      event: (_: unknown, { reason }: { readonly reason: string }) => void events.push(reason),
    },
  };
}

describe("claiming a host", () => {
  const cluster = clusterWith(hosts);

  it("writes the host and the provider ID at once, and records an event", async () => {
    const scope = scopeWith([machineOn("rack-2")]);
    const claimed = await claimHost(machineOn(undefined), cluster, false, scope);
    const spec = { host: "rack-3", providerID: "host://team/demo/rack-3" };
    assert.deepEqual("spec" in claimed && claimed.spec, spec);
    assert.deepEqual(
      scope.commits.map(({ spec }) => spec),
      [spec],
    );
    assert.deepEqual(scope.events, ["HostClaimed"]);
  });

  it("writes nothing for a machine that has a host", async () => {
    const scope = scopeWith([]);
    const machine = machineOn("rack-2");
    assert.equal(await claimHost(machine, cluster, false, scope), machine);
    assert.deepEqual([scope.commits, scope.events], [[], []]);
  });

  it("writes nothing when no host is free", async () => {
    const scope = scopeWith([machineOn("rack-2"), machineOn("rack-3")]);
    const finding = await claimHost(machineOn(undefined), cluster, false, scope);
    assert.equal("reason" in finding && finding.reason, "NoFreeHost");
    assert.deepEqual(scope.commits, []);
  });
});
