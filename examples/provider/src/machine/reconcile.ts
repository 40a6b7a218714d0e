import { notPaused, type OwnerMachine, whenPaused } from "@rookery/cluster-api";
import { type Clock, type Finding, isFalse, isTrue, withConditions } from "@rookery/kube";
import { createLifecycle, type Outcome } from "@rookery/runtime";
import type { HostMachine } from "../kinds/host-machine.ts";
import { claimHost } from "./phases/claim-host.ts";
import { claimableCluster, hostsOf, isControlPlane } from "./policies.ts";
import type { MachineScope } from "./scope.ts";

/** Gives a HostMachine one host, and reports the host to Cluster API. */
export const machineLifecycle = createLifecycle<HostMachine, MachineScope, OwnerMachine>({
  owner: (machine, { getOwner }) => getOwner(machine),
  whenPaused: async (machine, { getCluster, clock }, owner) =>
    whenPaused(machine, owner && (await getCluster(owner)), clock),
  whenUnowned: (machine, { clock }) => ({
    object: notReady(machine, isFalse("WaitingForOwner", "no Machine owns this object"), clock),
  }),
  provision,
  errors: { withFinding: (machine, finding, { clock }) => notReady(machine, finding, clock) },
});

async function provision(
  machine: HostMachine,
  scope: MachineScope,
  owner: OwnerMachine,
): Promise<Outcome<HostMachine>> {
  const cluster = await scope.getCluster(owner);
  const hostCluster = cluster && (await scope.getHostCluster(cluster));
  const claimable = claimableCluster({ machine: owner, cluster, hostCluster });
  if ("reason" in claimable) return { object: notReady(machine, claimable, scope.clock) };
  const claimed = await claimHost(machine, claimable, isControlPlane(owner), scope);
  if ("reason" in claimed) return { object: notReady(machine, claimed, scope.clock) };
  const host = hostsOf(claimable).find(({ name }) => name === claimed.spec?.host);
  if (!host) {
    const why = `the HostCluster has no host ${claimed.spec?.host}: add it again, or delete the Machine`;
    return { object: notReady(claimed, isFalse("HostMissing", why), scope.clock) };
  }
  return { object: ready(claimed, host, scope.clock) };
}

function ready(
  machine: HostMachine,
  host: { readonly name: string; readonly address: string },
  clock: Clock,
): HostMachine {
  const { status, ...rest } = withFinding(machine, isTrue("Provisioned"), clock);
  const addresses = [
    { type: "Hostname", address: host.name },
    { type: "InternalIP", address: host.address },
  ] as const;
  return { ...rest, status: { ...status, ready: true, initialization: provisioned, addresses } };
}

const provisioned = { provisioned: true } as const;

/** A machine that was provisioned once stays provisioned, as the contract of Cluster API requires. */
function notReady(machine: HostMachine, finding: Finding, clock: Clock): HostMachine {
  const { status, ...rest } = withFinding(machine, finding, clock);
  return { ...rest, status: { ...status, ready: false } };
}

function withFinding(machine: HostMachine, finding: Finding, clock: Clock): HostMachine {
  return withConditions(machine, [{ type: "Ready", ...finding }, notPaused], clock);
}
