import type { NestedEtcd } from "@rookery/api";
import type { Home } from "../component/home.ts";
import { namesApiServer } from "../component/home.ts";
import { componentLifecycle } from "../component/lifecycle.ts";
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

async function provision(etcd: NestedEtcd, home: Home, scope: EtcdScope): Promise<Report> {
  const idle = await idleReport(etcd, home, scope);
  if (idle) return idle;
  let connections: Connection[] = [];
  try {
    refuseClosedFields(etcd, scope.allowances);
    const { inputs, authorities, companions } = await secretInputs(
      etcd,
      etcdSecrets(home.cluster),
      scope,
    );
    connections = await connect(home, scope);
    const report = await deploy(etcd, { ...home, connections, inputs, companions }, scope);
    return withAuthorities(report, authorities);
  } catch (error) {
    if (!(error instanceof ComponentError)) throw error;
    const found = await podsOf(home, scope);
    const observed = await observeEtcd(home, found, { ...scope, connections: [] });
    // The addresses are known before: other components need not wait for them.
    const status = error.reason === "WaitingForCertificates" ? newAddresses(etcd, home) : {};
    return { ...blockedReport(error, etcdReadiness(observed)), status };
  } finally {
    await Promise.all(connections.map(({ gateway }) => gateway[Symbol.asyncDispose]()));
  }
}

/** Connects to all members with an address. The credentials are read only if there are such members. */
async function connect(home: Home, scope: EtcdScope): Promise<Connection[]> {
  const found = await podsOf(home, scope);
  if (![...found.values()].some(({ status }) => status?.podIP)) return [];
  const { content } = await requiredSecrets(home, healthSecret(home.cluster), scope);
  const tls = content[leafSecret(home.cluster, "etcd-health")] ?? {};
  return connectionsTo(home, found, { ...scope, tls });
}

/**
 * The report if no etcd is needed, or the profile that decides is not known yet. An existing etcd keeps
 * running.
 */
async function idleReport(
  etcd: NestedEtcd,
  home: Home,
  scope: EtcdScope,
): Promise<Report | undefined> {
  const { apiServer } = await scope.getSiblings(home);
  if (apiServer) return notApplicableBeside(apiServer, etcd);
  if (!namesApiServer(home)) return undefined;
  const { namespace, cluster } = home;
  const name = workloadName(cluster, "etcd");
  if (await scope.find(statefulSets, { namespace, name })) return undefined;
  const why = `NestedAPIServer ${home.controlPlane.spec.apiserver?.name} is not there yet`;
  return blockedReport(new ComponentError("WaitingForAPIServer", why), undefined);
}
