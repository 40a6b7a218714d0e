import { FieldError, fieldPath, invalidError, repeatedPlaces } from "@rookery/kube";
import type { Validator } from "@rookery/runtime";
import type { HostCluster } from "../kinds/host-cluster.ts";
import type { HostMachine } from "../kinds/host-machine.ts";
import { hostsOf } from "../machine/policies.ts";
import { clusters } from "../resources.ts";

const path = fieldPath("spec", "hosts");

/** Rejects hosts that share an address, and the removal of hosts that machines use. */
export function hostClusterValidator(
  listMachines: (cluster: HostCluster) => Promise<readonly HostMachine[]>,
): Validator<HostCluster> {
  return {
    create: (cluster) => reject(cluster, repeatedAddresses(cluster)),
    update: async (cluster, old) => {
      const removed = removedHosts(cluster, old);
      const users = removed.length > 0 ? await listMachines(cluster) : [];
      reject(cluster, [...repeatedAddresses(cluster), ...usedHosts(removed, users)]);
    },
  };
}

function reject({ metadata }: HostCluster, problems: readonly FieldError[]): void {
  if (problems.length > 0) throw invalidError(clusters, metadata.name ?? "", problems);
}

function repeatedAddresses(cluster: HostCluster): FieldError[] {
  const addresses = hostsOf(cluster).map(({ address }) => address);
  return [...repeatedPlaces(addresses)].map((index) =>
    FieldError.duplicate(path.index(index).child("address"), addresses[index]),
  );
}

function removedHosts(cluster: HostCluster, old: HostCluster): string[] {
  const names = new Set(hostsOf(cluster).map(({ name }) => name));
  return hostsOf(old).flatMap(({ name }) => (names.has(name) ? [] : [name]));
}

function usedHosts(removed: readonly string[], machines: readonly HostMachine[]): FieldError[] {
  return machines
    .filter(({ spec }) => spec?.host && removed.includes(spec.host))
    .map(({ metadata, spec }) => {
      const why = `the host ${spec?.host} is used by the HostMachine ${metadata.name}: delete its Machine first`;
      return FieldError.forbidden(path, why);
    });
}
