import { type Cluster, coreProvider, type Provider, resourceOf } from "@rookery/api";
import type { Client } from "@rookery/client";
import { clusterApiGroup } from "@rookery/cluster-api";
import {
  type Condition,
  didYouMean,
  getCondition,
  isForbidden,
  type KubeObject,
  parseApiVersion,
} from "@rookery/kube";
import { byPlace, ignoreForbidden, listServed, type NamespacedKey } from "../objects.ts";
import { ageColumn, type Column, nameColumn, paintStatus } from "./column.ts";

/** The status of the older contract. */
type OlderStatus =
  | { readonly v1beta2?: { readonly conditions?: readonly Condition[] } }
  | undefined;
type Reference = {
  readonly kind?: string;
  readonly apiGroup?: string;
  readonly apiVersion?: string;
};

/** Clusters of Cluster API's own group, and of cores with API groups of their own. */
export async function listClusters(
  client: Client,
  namespace?: string,
): Promise<readonly Cluster[]> {
  const { groups, areGuessed } = await coreGroups(client);
  const lists = groups.map((group) =>
    listServed<Cluster>(client, { group, kind: "Cluster" }, namespace),
  );
  const outcomes = await Promise.allSettled(lists);
  const isHidden = (one: PromiseSettledResult<unknown>) =>
    one.status === "rejected" && isForbidden(one.reason);
  // Of guessed groups, those that the user may not read are left out.
  const mayMiss = areGuessed && !outcomes.every(isHidden);
  const found = outcomes.flatMap((one) => {
    if (one.status === "fulfilled") return one.value;
    if (mayMiss && isHidden(one)) return [];
    throw one.reason;
  });
  return found.toSorted(byPlace);
}

/** The groups of all cores: as providers declare them; for who may not list those, as they are served. */
async function coreGroups(
  client: Client,
): Promise<{ readonly groups: readonly string[]; readonly areGuessed: boolean }> {
  const kind = resourceOf(coreProvider, "v1alpha1");
  const cores = await ignoreForbidden(listServed<Provider>(client, kind));
  if (cores) {
    const suffixes = cores.flatMap(({ spec }) => spec.apiGroupSuffix ?? []);
    return { groups: [...new Set([clusterApiGroup, ...suffixes])], areGuessed: false };
  }
  const { resources } = await client.mapper.served();
  const served = [...new Set(resources.map(({ group }) => group))];
  const isCore = (group: string) => served.some((other) => other.endsWith(`.${group}`));
  const clusters = resources.filter(({ kind, group }) => kind === "Cluster" && isCore(group));
  return {
    groups: [...new Set([clusterApiGroup, ...clusters.map(({ group }) => group)])],
    areGuessed: true,
  };
}

/** What says how a cluster is: Available, or in older versions Ready. */
export function stateOf({ status }: Cluster): Condition | undefined {
  const conditions = (status as OlderStatus)?.v1beta2?.conditions ?? status?.conditions;
  return getCondition(conditions, "Available") ?? getCondition(conditions, "Ready");
}

/**
 * Whether a cluster has its infrastructure and a spec without machines: it is complete, and will never
 * be available.
 */
export function isWithoutMachines({ metadata, spec, status }: KubeObject): boolean {
  const { controlPlaneRef, topology } = Object(spec);
  const { initialization, controlPlane, workers } = Object(status);
  const wanted = (controlPlane?.desiredReplicas ?? 0) + (workers?.desiredReplicas ?? 0);
  const isAsked = Boolean(controlPlaneRef ?? topology) || wanted > 0;
  const isProvisioned = initialization?.infrastructureProvisioned === true;
  return isProvisioned && !isAsked && metadata.deletionTimestamp === undefined;
}

/** In place of what conditions say of such a cluster. */
export const noMachines = "NoMachines";

function availabilityOf(cluster: Cluster): string | undefined {
  const status = stateOf(cluster)?.status;
  return status !== "True" && isWithoutMachines(cluster) ? noMachines : status;
}

/** The groups whose controllers have to do with a cluster: its own, and those of its parts. */
export function groupsOf({ apiVersion, spec }: Cluster): readonly string[] {
  const parts = [spec.infrastructureRef, spec.controlPlaneRef].flatMap((part) => part ?? []);
  return [parseApiVersion(apiVersion).group, ...parts.map(groupOf)];
}

function groupOf({ apiGroup, apiVersion }: Reference): string {
  return apiGroup ?? parseApiVersion(apiVersion ?? "").group;
}

export const clusterColumns: readonly Column<Cluster>[] = [
  nameColumn,
  { name: "PHASE", cell: phaseOf },
  { name: "AVAILABLE", cell: (one, { paint }) => paintStatus(availabilityOf(one), paint) },
  { name: "CONTROL PLANE", cell: ({ status }) => replicas(status?.controlPlane) },
  { name: "WORKERS", cell: ({ status }) => replicas(status?.workers) },
  { name: "INFRASTRUCTURE", cell: ({ spec }) => spec.infrastructureRef?.kind ?? "" },
  { name: "CONTROLLED BY", isWide: true, cell: ({ spec }) => spec.controlPlaneRef?.kind ?? "" },
  { name: "ENDPOINT", isWide: true, cell: endpointOf },
  { name: "GROUP", isWide: true, cell: ({ apiVersion }) => parseApiVersion(apiVersion).group },
  ageColumn,
  { name: "REASON", isWide: true, cell: (one) => stateOf(one)?.reason ?? "" },
];

function phaseOf({ metadata, spec, status }: Cluster): string {
  const phase = metadata.deletionTimestamp ? "Deleting" : (status?.phase ?? "");
  return spec.paused ? `${phase || "new"} (paused)` : phase;
}

/** Ready machines of those that are wanted. */
function replicas(
  counts: { readonly readyReplicas?: number; readonly desiredReplicas?: number } | undefined,
): string {
  if (counts?.desiredReplicas === undefined) return "";
  return `${counts.readyReplicas ?? 0}/${counts.desiredReplicas}`;
}

function endpointOf({ spec }: Cluster): string {
  const { host, port } = spec.controlPlaneEndpoint ?? {};
  return host ? `${host}:${port ?? 6443}` : "";
}

/** Why a cluster was not found, with a similar one. */
export async function whyNoCluster(
  client: Client,
  { namespace, name }: NamespacedKey,
): Promise<string> {
  const near = didYouMean(name, await clusterNames(client, namespace));
  const punctuation = near === "" ? ";" : "";
  return `there is no such cluster${near}${punctuation} "rookery get clusters -A" lists those that there are`;
}

/** Empty for a user who may not list clusters. */
async function clusterNames(client: Client, namespace: string): Promise<readonly string[]> {
  const clusters = await ignoreForbidden(listClusters(client, namespace));
  return (clusters ?? []).flatMap(({ metadata }) => metadata.name ?? []);
}
