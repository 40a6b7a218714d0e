import {
  type NestedControlPlane,
  nestedCluster,
  nestedControlPlane,
  resourceOf,
  type VSphereCluster,
  vsphereCluster,
} from "@rookery/api";
import type { Client } from "@rookery/client";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { belongingsOf, type Holdings } from "./belongings.ts";
import { isWithoutMachines, listClusters, stateOf } from "./clusters.ts";
import { type Column, paintStatus } from "./column.ts";
import { listIdentities } from "./identities.ts";
import { listServed } from "./list-served.ts";
import { listProviders } from "./providers.ts";
import { type Belonging, type Namespace, rungs, type Surroundings, type Tenant } from "./tenant.ts";

/** Names the tenant that a namespace belongs to. */
const tenantLabel = "rookery.dev/tenant";

export async function listTenants(client: Client): Promise<readonly Tenant[]> {
  return tenantsOf(await lookAround(client));
}

async function lookAround(client: Client): Promise<Surroundings> {
  const [namespaces, clusters, providers, identities] = await Promise.all([
    listServed<Namespace>(client, builtInResources.namespaces),
    listClusters(client),
    listProviders(client),
    listIdentities(client),
  ]);
  const [vsphereClusters, controlPlanes, nestedClusters] = await Promise.all([
    listServed<VSphereCluster>(client, resourceOf(vsphereCluster, "v1beta1")),
    listServed<NestedControlPlane>(client, resourceOf(nestedControlPlane, "v1alpha4")),
    listServed<KubeObject>(client, resourceOf(nestedCluster, "v1alpha4")),
  ]);
  const nested = { controlPlanes, nestedClusters };
  return { namespaces, clusters, providers, identities, vsphereClusters, ...nested };
}

/** By name. A namespace without the label, or with an empty one, is nobody's. */
export function tenantsOf(around: Surroundings): readonly Tenant[] {
  const owned = around.namespaces.filter(({ metadata }) => metadata.labels?.[tenantLabel]);
  const byTenant = Map.groupBy(owned, ({ metadata }) => metadata.labels?.[tenantLabel] ?? "");
  return [...byTenant]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, namespaces]) => {
      const others = owned.filter((one) => !namespaces.includes(one));
      return tenantOf(around, { name, namespaces, others });
    });
}

interface Realm {
  readonly name: string;
  readonly namespaces: readonly Namespace[];
  readonly others: readonly Namespace[];
}

function tenantOf(around: Surroundings, { name, namespaces, others }: Realm): Tenant {
  const holdings: Holdings = { own: namesOf(namespaces), others: namesOf(others) };
  const belongings = belongingsOf(around, holdings);
  const clusters = around.clusters.filter(({ metadata }) =>
    holdings.own.has(metadata.namespace ?? ""),
  );
  const problems = [
    ...namespaces.flatMap(goingOf),
    ...belongings.flatMap((one) => (one.problem ? `${placeOf(one)}: ${one.problem}` : [])),
    ...clusters.flatMap((cluster) => {
      const state = stateOf(cluster);
      if (state?.status === "True" || isWithoutMachines(cluster)) return [];
      const { namespace, name: own } = cluster.metadata;
      return `Cluster ${namespace}/${own}: ${state?.reason ?? "NotAvailable"}`;
    }),
  ];
  return {
    ...{ name, rung: belongings[0]?.rung ?? rungs[0], ready: problems.length === 0 },
    namespaces: [...holdings.own],
    clusters: clusters.map((cluster) => ({
      namespace: cluster.metadata.namespace ?? "",
      name: cluster.metadata.name ?? "",
      available: stateOf(cluster)?.status === "True",
      withoutMachines: isWithoutMachines(cluster),
    })),
    ...{ belongings, problems },
  };
}

function namesOf(namespaces: readonly Namespace[]): ReadonlySet<string> {
  return new Set(namespaces.map(({ metadata }) => metadata.name ?? ""));
}

function goingOf({ metadata, status }: Namespace): readonly string[] {
  return status?.phase === "Terminating" ? [`Namespace ${metadata.name}: Terminating`] : [];
}

function placeOf({ kind, namespace, name }: Belonging): string {
  return `${kind} ${namespace ? `${namespace}/` : ""}${name}`;
}

export const tenantColumns: readonly Column<Tenant>[] = [
  { name: "TENANT", cell: ({ name }) => name },
  { name: "RUNG", cell: ({ rung }) => `${rungs.indexOf(rung)} ${rung}` },
  { name: "NAMESPACES", cell: ({ namespaces }) => namespaces.join(",") },
  { name: "CLUSTERS", cell: ({ clusters }) => availableOf(clusters) },
  { name: "READY", cell: ({ ready }, { paint }) => paintStatus(ready ? "True" : "False", paint) },
  { name: "BY", isWide: true, cell: ({ belongings }) => belongings.map(placeOf).join(", ") },
  { name: "PROBLEMS", isWide: true, cell: ({ problems }) => problems.join("; ") },
];

/** How many of them are available, and how many have infrastructure and were asked for no machines. */
function availableOf(clusters: Tenant["clusters"]): string {
  const available = clusters.filter((one) => one.available).length;
  const provisioned = clusters.filter((one) => !one.available && one.withoutMachines).length;
  if (clusters.length === 0) return "0";
  if (provisioned === clusters.length) return `${provisioned} Provisioned`;
  return `${available}/${clusters.length}${provisioned > 0 ? ` (${provisioned} Provisioned)` : ""}`;
}
