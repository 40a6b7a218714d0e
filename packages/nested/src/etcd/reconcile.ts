import type { NestedEtcd } from "@rookery/api";
import { componentLifecycle } from "../component/lifecycle.ts";
import type { Parent } from "../component/parent.ts";
import { namesApiServer } from "../component/parent.ts";
import {
  blockedReport,
  notApplicableBeside,
  type Report,
  withAuthorities,
} from "../component/report.ts";
import { requiredSecrets, secretInputs } from "../component/secret-inputs.ts";
import { ComponentError } from "../errors.ts";
import { leafSecret, workloadName } from "../names.ts";
import { refuseClosedFields } from "../policy/closed-fields.ts";
import { configMaps, podDisruptionBudgets, services, statefulSets } from "../resources.ts";
import { type Connection, connectionsTo, observeEtcd, podsOf } from "./observe.ts";
import { deploy } from "./phases/deploy.ts";
import { removeVolumes } from "./phases/remove.ts";
import { etcdReadiness, newAddresses } from "./report.ts";
import type { EtcdScope } from "./scope.ts";
import { etcdSecrets, healthSecret } from "./secrets.ts";

export const etcdLifecycle = componentLifecycle<NestedEtcd, EtcdScope>({
  finalizer: "nestedetcd.controlplane.cluster.x-k8s.io",
  component: "etcd",
  resources: [statefulSets, podDisruptionBudgets, services, configMaps],
  provision,
  removeLast: removeVolumes,
});

async function provision(etcd: NestedEtcd, parent: Parent, scope: EtcdScope): Promise<Report> {
  const idle = await idleReport(etcd, parent, scope);
  if (idle) return idle;
  let connections: Connection[] = [];
  try {
    refuseClosedFields(etcd, scope.allowances);
    const { inputs, authorities, companions } = await secretInputs(
      etcd,
      etcdSecrets(parent.cluster),
      scope,
    );
    connections = await connect(parent, scope);
    const report = await deploy(etcd, { ...parent, connections, inputs, companions }, scope);
    return withAuthorities(report, authorities);
  } catch (error) {
    if (!(error instanceof ComponentError)) throw error;
    const found = await podsOf(parent, scope);
    const observed = await observeEtcd(parent, found, { ...scope, connections: [] });
    // The addresses are known before: other components need not wait for them.
    const status = error.reason === "WaitingForCertificates" ? newAddresses(etcd, parent) : {};
    return { ...blockedReport(error, etcdReadiness(observed)), status };
  } finally {
    await Promise.all(connections.map(({ gateway }) => gateway[Symbol.asyncDispose]()));
  }
}

/** Connects to all members with an address. The credentials are read only if there are such members. */
async function connect(parent: Parent, scope: EtcdScope): Promise<Connection[]> {
  const found = await podsOf(parent, scope);
  if (![...found.values()].some(({ status }) => status?.podIP)) return [];
  const { content } = await requiredSecrets(parent, healthSecret(parent.cluster), scope);
  const tls = content[leafSecret(parent.cluster, "etcd-health")] ?? {};
  return connectionsTo(parent, found, { ...scope, tls });
}

/**
 * The report if no etcd is needed, or the profile is not known yet. An existing etcd keeps running.
 */
async function idleReport(
  etcd: NestedEtcd,
  parent: Parent,
  scope: EtcdScope,
): Promise<Report | undefined> {
  const { apiServer } = await scope.getSiblings(parent);
  if (apiServer) return notApplicableBeside(apiServer, etcd);
  if (!namesApiServer(parent)) return undefined;
  const { namespace, cluster } = parent;
  const name = workloadName(cluster, "etcd");
  if (await scope.find(statefulSets, { namespace, name })) return undefined;
  const why = `NestedAPIServer ${parent.controlPlane.spec.apiserver?.name} does not exist yet`;
  return blockedReport(new ComponentError("WaitingForAPIServer", why), undefined);
}
