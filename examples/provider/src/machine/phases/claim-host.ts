import type { Finding } from "@rookery/kube";
import type { HostCluster } from "../../kinds/host-cluster.ts";
import type { HostMachine } from "../../kinds/host-machine.ts";
import { chooseHost } from "../policies.ts";
import type { MachineScope } from "../scope.ts";

/**
 * Claims a free host for a machine by one write of its spec. A manager that is killed before the write has claimed
 * nothing; one that is killed after it finds the claim in the spec. Two machines never claim the same host, because
 * the controller reconciles one machine at a time and reads the other claims from the API server.
 */
export async function claimHost(
  machine: HostMachine,
  cluster: HostCluster,
  isControlPlane: boolean,
  { listMachines, commit, recorder }: Pick<MachineScope, "listMachines" | "commit" | "recorder">,
): Promise<HostMachine | Finding> {
  if (machine.spec?.host) return machine;
  const host = chooseHost(cluster, await listMachines(cluster), isControlPlane);
  if ("reason" in host) return host;
  const { namespace, name } = cluster.metadata;
  const providerID = `host://${namespace}/${name}/${host.name}`;
  const spec = { ...machine.spec, host: host.name, providerID };
  const claimed = await commit(machine, { ...machine, spec });
  const note = `claimed the host ${host.name} of the HostCluster ${name}`;
  recorder.event(machine, { type: "Normal", reason: "HostClaimed", note });
  return claimed;
}
