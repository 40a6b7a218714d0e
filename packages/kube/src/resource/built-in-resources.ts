import type { Resource } from "./resource.ts";

/** Resources of Kubernetes itself that more than one package needs. */
export const builtInResources = {
  namespaces: core("Namespace", false),
  secrets: core("Secret", true),
  configMaps: core("ConfigMap", true),
} as const satisfies Record<string, Resource>;

function core(kind: string, namespaced: boolean): Resource {
  const singular = kind.toLowerCase();
  return { group: "", version: "v1", kind, plural: `${singular}s`, singular, namespaced };
}
