import { type Provider, providerKinds, resourceOf } from "@rookery/api";
import type { Client } from "@rookery/client";
import { getCondition, timeSince } from "@rookery/kube";
import { type Column, paintStatus } from "./column.ts";
import { listServed } from "./list-served.ts";

/** Providers of all kinds, in the order in which they are installed. */
export async function listProviders(
  client: Client,
  namespace?: string,
): Promise<readonly Provider[]> {
  const lists = providerKinds.map((kind) =>
    listServed<Provider>(client, resourceOf(kind, "v1alpha1"), namespace),
  );
  return (await Promise.all(lists)).flat();
}

export const providerColumns: readonly Column<Provider>[] = [
  { name: "NAMESPACE", cell: ({ metadata }) => metadata.namespace ?? "" },
  { name: "NAME", cell: ({ metadata }) => metadata.name ?? "" },
  { name: "KIND", cell: ({ kind }) => kind },
  { name: "INSTALLED", cell: ({ status }) => status?.installedVersion ?? "" },
  { name: "WANTED", isWide: true, cell: ({ spec }) => spec.version ?? "newest" },
  { name: "CONTRACT", isWide: true, cell: ({ status }) => status?.contract ?? "" },
  { name: "WATCHES", isWide: true, cell: watchedBy },
  { name: "GROUP SUFFIX", isWide: true, cell: ({ spec }) => spec.apiGroupSuffix ?? "" },
  { name: "READY", cell: (provider, { paint }) => paintStatus(readyOf(provider)?.status, paint) },
  { name: "REASON", cell: (provider) => readyOf(provider)?.reason ?? "" },
  { name: "AGE", cell: ({ metadata }, { now }) => timeSince(metadata.creationTimestamp, now) },
  { name: "MESSAGE", isWide: true, cell: (provider) => readyOf(provider)?.message ?? "" },
];

export function readyOf({ status }: Provider) {
  return getCondition(status?.conditions, "Ready");
}

/** What an instance watches now; before it watches anything, what it is to watch. */
function watchedBy({ spec, status }: Provider): string {
  const { namespaces, excludedNamespaces } = status?.watch ?? spec.watch ?? {};
  if (namespaces) return namespaces.join(",") || "none yet";
  if (excludedNamespaces) return `all but ${excludedNamespaces.join(",")}`;
  return spec.watch?.rest ? "the rest" : "all";
}
