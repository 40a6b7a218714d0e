import type { VSphereCluster, VSphereMachine, VSphereVM } from "@rookery/api";
import {
  isInfrastructureProvisioned,
  type OwnerCluster,
  type OwnerMachine,
} from "@rookery/cluster-api";
import { type Finding, isFalse } from "@rookery/kube";
import { findingOf } from "./report.ts";
import type { Purpose } from "./virtual-machine.ts";

/** A machine, and the objects of its cluster that exist so far. */
export interface Surroundings {
  readonly machine: VSphereMachine;
  readonly owner: OwnerMachine;
  readonly ownerCluster: OwnerCluster | undefined;
  readonly cluster: VSphereCluster | undefined;
}

/** The purpose of the virtual machine, or the finding that the machine has to wait. */
export function purposeOf(surroundings: Surroundings): Purpose | Finding {
  const { machine, owner, ownerCluster, cluster } = surroundings;
  if (!ownerCluster || !cluster) {
    return isFalse("WaitingForCluster", "the Cluster or its VSphereCluster is not there yet");
  }
  if (!isInfrastructureProvisioned(ownerCluster)) {
    const message = "the infrastructure of the Cluster is not there yet";
    return isFalse("WaitingForClusterInfrastructureReady", message);
  }
  const { bootstrap, failureDomain = machine.spec.failureDomain } = owner.spec ?? {};
  if (failureDomain) return noFailureDomain(failureDomain);
  if (!bootstrap?.dataSecretName) {
    return isFalse("WaitingForBootstrapData", "the Machine has no bootstrap data yet");
  }
  return {
    clusterName: ownerCluster.metadata.name ?? "",
    name: owner.metadata.name ?? "",
    ...(owner.metadata.labels && { labels: owner.metadata.labels }),
    dataSecretName: bootstrap.dataSecretName,
  };
}

/** A machine is not placed outside of the failure domain that was asked for. */
function noFailureDomain(name: string): Finding {
  const message = `could not place the machine in the failure domain ${JSON.stringify(name)}: VSphereClusters have none; leave spec.failureDomain of the Machine empty`;
  return isFalse("FailureDomainNotFound", message);
}

/** Whether a virtual machine was made before: a machine never gets a second one. */
export function wasProvisioned({ spec, status }: VSphereMachine): boolean {
  return status?.initialization?.provisioned === true || spec.providerID !== undefined;
}

export function providerIdOf({ spec }: VSphereVM): string | undefined {
  return spec.biosUUID ? `vsphere://${spec.biosUUID}` : undefined;
}

type Status = NonNullable<VSphereMachine["status"]>;

/** The fields that a machine copies from the status of its virtual machine, beside conditions. */
export function observedStatus(vm: VSphereVM): Pick<Status, "addresses" | "network"> {
  const { addresses = [], network } = vm.status ?? {};
  const external = addresses.map((address) => ({ type: "ExternalIP" as const, address }));
  const internal = { type: "InternalDNS" as const, address: vm.metadata.name ?? "" };
  return { addresses: [...external, internal], ...(network && { network }) };
}

/** A machine is ready when its virtual machine is ready and the provider ID is written. */
export function readiness(vm: VSphereVM, machine: VSphereMachine): Finding {
  const finding = findingOf(vm);
  if (finding.status !== "True" || machine.spec.providerID) return finding;
  return isFalse("WaitingForBIOSUUID", "the UUID of the virtual machine is not known yet");
}
