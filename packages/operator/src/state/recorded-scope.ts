import {
  everyNamespace,
  type NamespaceSet,
  noNamespaces,
  setOf,
} from "../identity/namespace-set.ts";
import type { InstallState } from "./install-state.ts";
import type { InstanceLayout } from "./instance-layout.ts";

export type Rights = InstanceLayout["rbac"];

/** The namespaces that a recorded provider may watch; all without a layout. */
export function recordedScope({ layout, release, owned }: InstallState): NamespaceSet {
  if (layout) return setOf(layout.scope);
  return release || owned.length > 0 ? everyNamespace : noNamespaces;
}

export function recordedRights({ layout, release, owned }: InstallState): Rights | undefined {
  if (layout) return layout.rbac;
  return release || owned.length > 0 ? "Cluster" : undefined;
}
