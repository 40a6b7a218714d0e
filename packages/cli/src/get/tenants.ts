import {
  type NestedControlPlane,
  nestedCluster,
  nestedControlPlane,
  resourceOf,
  type VSphereCluster,
  vsphereCluster,
} from "@rookery/api";
import { type Client, getOptional } from "@rookery/client";
import { builtInResources, isForbidden, type KubeObject, type Resource } from "@rookery/kube";
import { HiddenTenantError } from "../errors.ts";
import { listServed } from "../objects.ts";
import { listProviders } from "../providers/declared-providers.ts";
import { belongingsOf, type Holdings } from "./belongings.ts";
import { isWithoutMachines, listClusters, stateOf } from "./clusters.ts";
import { type Column, paintStatus } from "./column.ts";
import { listIdentities } from "./identities.ts";
import type { Sight } from "./sight.ts";
import { type Belonging, type Namespace, rungs, type Surroundings, type Tenant } from "./tenant.ts";

/** The label of a namespace that names its tenant. */
const tenantLabel = "rookery.dev/tenant";

/** The tenants of the namespaces that the user may read. Throws HiddenTenantError. */
export async function listTenants(client: Client, sight: Sight): Promise<readonly Tenant[]> {
  return tenantsOf(await lookAround(client, sight));
}

/** Lists of objects that serve tenants from other namespaces. */
const servants = ["providers", "identities"] as const;

async function lookAround(client: Client, sight: Sight): Promise<Surroundings> {
  const list = <T extends KubeObject>(what: string, kind: Resource) =>
    sight.list(what, (namespace) => listServed<T>(client, kind, namespace));
  const [namespaces, clusters, providers, identities] = await Promise.all([
    listNamespaces(client, sight),
    sight.list("clusters", (namespace) => listClusters(client, namespace)),
    sight.list(servants[0], (namespace) => listProviders(client, namespace)),
    sight.list(servants[1], () => listIdentities(client)),
  ]);
  const [vsphereClusters, controlPlanes, nestedClusters] = await Promise.all([
    list<VSphereCluster>("VSphereClusters", resourceOf(vsphereCluster, "v1beta1")),
    list<NestedControlPlane>("NestedControlPlanes", resourceOf(nestedControlPlane, "v1alpha4")),
    list<KubeObject>("NestedClusters", resourceOf(nestedCluster, "v1alpha4")),
  ]);
  const unseen = sight.unseen(servants);
  const nested = { controlPlanes, nestedClusters };
  return { namespaces, clusters, providers, identities, vsphereClusters, ...nested, unseen };
}

/** Throws HiddenTenantError if the user may not even read one namespace. */
async function listNamespaces(client: Client, sight: Sight): Promise<readonly Namespace[]> {
  const namespaces = client.resource<Namespace>(builtInResources.namespaces);
  const readOne = async (name: string) => {
    try {
      const namespace = await getOptional(namespaces, { name });
      return namespace ? [namespace] : [];
    } catch (error) {
      if (isForbidden(error)) throw new HiddenTenantError(name);
      throw error;
    }
  };
  return sight.list("namespaces", (name) =>
    name === undefined ? listServed<Namespace>(client, builtInResources.namespaces) : readOne(name),
  );
}

/** The tenants by name. A namespace without the label has no tenant. */
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
  const rung = belongings[0]?.rung ?? rungs[0];
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
    name,
    rung,
    ready: problems.length === 0,
    ...(around.unseen?.length && { unseen: around.unseen }),
    namespaces: [...holdings.own],
    clusters: clusters.map((cluster) => ({
      namespace: cluster.metadata.namespace ?? "",
      name: cluster.metadata.name ?? "",
      available: stateOf(cluster)?.status === "True",
      withoutMachines: isWithoutMachines(cluster),
    })),
    belongings,
    problems,
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
  { name: "RUNG", cell: rungOf },
  { name: "NAMESPACES", cell: ({ namespaces }) => namespaces.join(",") },
  { name: "CLUSTERS", cell: availableOf },
  { name: "READY", cell: (one, { paint }) => paintStatus(readinessOf(one), paint) },
  { name: "BY", isWide: true, cell: ({ belongings }) => belongings.map(placeOf).join(", ") },
  { name: "PROBLEMS", isWide: true, cell: ({ problems }) => problems.join("; ") },
];

/** With "or higher" if the user may not list all objects. */
function rungOf({ rung, unseen = [] }: Tenant): string {
  const isLeast = rung !== rungs.at(-1) && unseen.some((what) => what !== "clusters");
  return `${rungs.indexOf(rung)} ${rung}${isLeast ? " or higher" : ""}`;
}

function readinessOf({ ready, unseen = [] }: Tenant): string {
  if (!ready) return "False";
  return unseen.includes("clusters") ? "Unknown" : "True";
}

/** The numbers of clusters that are available, and that have infrastructure and no machines. */
function availableOf({ clusters, unseen = [] }: Tenant): string {
  if (unseen.includes("clusters")) return "";
  const available = clusters.filter((one) => one.available).length;
  const provisioned = clusters.filter((one) => !one.available && one.withoutMachines).length;
  if (clusters.length === 0) return "0";
  if (provisioned === clusters.length) return `${provisioned} Provisioned`;
  return `${available}/${clusters.length}${provisioned > 0 ? ` (${provisioned} Provisioned)` : ""}`;
}
