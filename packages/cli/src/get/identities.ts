import { allowedNamespacesText, type VSphereClusterIdentity } from "@rookery/api";
import type { Client } from "@rookery/client";
import { getCondition, type Resource } from "@rookery/kube";
import { byPlace, listServed } from "../objects.ts";
import { ageColumn, type Column, nameColumn, paintStatus } from "./column.ts";

/** An account and the namespaces that may use it. Kinds of other providers have similar fields. */
export type Identity = Pick<VSphereClusterIdentity, "apiVersion" | "metadata" | "status"> & {
  readonly kind: string;
  readonly spec?: Partial<VSphereClusterIdentity["spec"]>;
};

/** All objects of kinds "…Identity" in the groups of infrastructure providers. */
export async function listIdentities(client: Client): Promise<readonly Identity[]> {
  const { resources } = await client.mapper.served();
  const kinds = Map.groupBy(
    resources.filter(isIdentityKind),
    ({ group, kind }) => `${kind}.${group}`,
  );
  // The server names the preferred version of a kind first.
  const preferred = [...kinds.values()].flatMap(([first]) => first ?? []);
  const lists = preferred.map((resource) => listServed<Identity>(client, resource));
  return (await Promise.all(lists)).flatMap((items) => items.toSorted(byPlace));
}

function isIdentityKind({ group, kind, namespaced }: Resource): boolean {
  return !namespaced && /^infrastructure\./.test(group) && /Identity$/.test(kind);
}

/** "all", "none", or the namespaces. */
export function allowedNamespaces({ spec }: Identity): string {
  return allowedNamespacesText(spec?.allowedNamespaces);
}

/** "True", "False", or undefined before the first reconcile. */
export function readinessOf({ status }: Identity): string | undefined {
  const condition = getCondition(status?.conditions, "Ready");
  if (condition) return condition.status;
  return status?.ready === undefined ? undefined : status.ready ? "True" : "False";
}

export const identityColumns: readonly Column<Identity>[] = [
  nameColumn,
  { name: "KIND", cell: ({ kind }) => kind },
  { name: "READY", cell: (one, { paint }) => paintStatus(readinessOf(one), paint) },
  { name: "NAMESPACES", cell: allowedNamespaces },
  {
    name: "SECRET",
    isWide: true,
    cell: ({ spec }) => spec?.secretRef?.name ?? spec?.secretName ?? "",
  },
  {
    name: "SERVERS",
    isWide: true,
    cell: ({ spec }) => spec?.allowedServers?.join(",") ?? "installation",
  },
  ageColumn,
  {
    name: "MESSAGE",
    isWide: true,
    cell: ({ status }) => getCondition(status?.conditions, "Ready")?.message ?? "",
  },
];
