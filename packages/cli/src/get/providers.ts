import type { Provider } from "@rookery/api";
import { getCondition } from "@rookery/kube";
import { ageColumn, type Column, nameColumn, namespaceColumn, paintStatus } from "./column.ts";

export const providerColumns: readonly Column<Provider>[] = [
  namespaceColumn,
  nameColumn,
  { name: "KIND", cell: ({ kind }) => kind },
  { name: "INSTALLED", cell: ({ status }) => status?.installedVersion ?? "" },
  { name: "WANTED", isWide: true, cell: ({ spec }) => spec.version ?? "newest" },
  { name: "CONTRACT", isWide: true, cell: ({ status }) => status?.contract ?? "" },
  { name: "WATCHES", isWide: true, cell: watchedBy },
  { name: "GROUP SUFFIX", isWide: true, cell: ({ spec }) => spec.apiGroupSuffix ?? "" },
  { name: "READY", cell: (provider, { paint }) => paintStatus(readyOf(provider)?.status, paint) },
  { name: "REASON", cell: (provider) => readyOf(provider)?.reason ?? "" },
  ageColumn,
  { name: "MESSAGE", isWide: true, cell: (provider) => readyOf(provider)?.message ?? "" },
];

export function readyOf({ status }: Provider) {
  return getCondition(status?.conditions, "Ready");
}

/** The namespaces that an instance watches; before it watches any, those of its spec. */
function watchedBy({ spec, status }: Provider): string {
  const { namespaces, excludedNamespaces } = status?.watch ?? spec.watch ?? {};
  if (namespaces) return namespaces.join(",") || "none yet";
  if (excludedNamespaces) return `all but ${excludedNamespaces.join(",")}`;
  return spec.watch?.rest ? "the rest" : "all";
}
