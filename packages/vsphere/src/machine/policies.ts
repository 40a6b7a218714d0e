import type { VSphereCluster, VSphereMachine, VSphereVM } from "@rookery/api";
import {
  clusterNameLabel,
  isInfrastructureProvisioned,
  type OwnerCluster,
  type OwnerMachine,
} from "@rookery/cluster-api";
import { notReady, type Statement, statementOf } from "./conditions.ts";
import type { Purpose } from "./virtual-machine.ts";

/** A machine, and what Cluster API has of it so far. */
export interface Surroundings {
  readonly machine: VSphereMachine;
  readonly owner: OwnerMachine | undefined;
  readonly ownerCluster: OwnerCluster | undefined;
  readonly cluster: VSphereCluster | undefined;
}

/** What the machine is made for, or what it has to wait for. */
export function purposeOf(surroundings: Surroundings): Purpose | Statement {
  const { machine, owner, ownerCluster, cluster } = surroundings;
  if (!owner) return notReady("WaitingForOwner", "no Machine owns this object yet");
  if (!ownerCluster || !cluster) {
    return notReady("WaitingForCluster", "the Cluster or its VSphereCluster is not there yet");
  }
  if (!isInfrastructureProvisioned(ownerCluster)) {
    const message = "the infrastructure of the Cluster is not there yet";
    return notReady("WaitingForClusterInfrastructureReady", message);
  }
  const { bootstrap, failureDomain = machine.spec.failureDomain } = owner.spec ?? {};
  if (failureDomain) return noFailureDomain(failureDomain);
  if (!bootstrap?.dataSecretName) {
    return notReady("WaitingForBootstrapData", "the Machine has no bootstrap data yet");
  }
  return {
    clusterName: ownerCluster.metadata.name ?? "",
    name: owner.metadata.name ?? "",
    ...(owner.metadata.labels && { labels: owner.metadata.labels }),
    dataSecretName: bootstrap.dataSecretName,
  };
}

/** To place it anywhere would break what it was asked for. */
function noFailureDomain(name: string): Statement {
  const message = `could not place the machine in the failure domain ${JSON.stringify(name)}: VSphereClusters have none; leave spec.failureDomain of the Machine empty`;
  return notReady("FailureDomainNotFound", message);
}

/** The Cluster of a machine, as its Machine names it, or as its own label does. */
export function clusterNameOf(
  { metadata }: VSphereMachine,
  owner: OwnerMachine | undefined,
): string | undefined {
  return owner?.spec?.clusterName ?? metadata.labels?.[clusterNameLabel];
}

/** Whether there was a virtual machine: there is never a second one for the same machine. */
export function wasProvisioned({ spec, status }: VSphereMachine): boolean {
  return status?.initialization?.provisioned === true || spec.providerID !== undefined;
}

export function providerIdOf({ spec }: VSphereVM): string | undefined {
  return spec.biosUUID ? `vsphere://${spec.biosUUID}` : undefined;
}

type Status = NonNullable<VSphereMachine["status"]>;

/** What the machine takes over from its virtual machine, beside its conditions. */
export function observedStatus(vm: VSphereVM): Pick<Status, "addresses" | "network"> {
  const { addresses = [], network } = vm.status ?? {};
  const external = addresses.map((address) => ({ type: "ExternalIP" as const, address }));
  const internal = { type: "InternalDNS" as const, address: vm.metadata.name ?? "" };
  return { addresses: [...external, internal], ...(network && { network }) };
}

/** A virtual machine is not ready as long as its UUID is not known to others. */
export function readiness(vm: VSphereVM, machine: VSphereMachine): Statement {
  const statement = statementOf(vm);
  if (statement.status !== "True" || machine.spec.providerID) return statement;
  return notReady("WaitingForBIOSUUID", "the UUID of the virtual machine is not known yet");
}
