import {
  everyNamespace,
  type NamespaceSet,
  noNamespaces,
  setOf,
} from "../identity/namespace-set.ts";
import type { InstallState } from "./install-state.ts";
import type { InstanceLayout } from "./instance-layout.ts";

/** Where the account of an instance has the rights of its ClusterRole. */
export type Rights = InstanceLayout["rbac"];

/** What a state says may be watched on its behalf: all, where it was installed as the only instance. */
export function recordedScope({ layout, release, owned }: InstallState): NamespaceSet {
  if (layout) return setOf(layout.scope);
  return release || owned.length > 0 ? everyNamespace : noNamespaces;
}

/** What a state says an instance has; all, where it was installed as the only instance. */
export function recordedRights({ layout, release, owned }: InstallState): Rights | undefined {
  if (layout) return layout.rbac;
  return release || owned.length > 0 ? "Cluster" : undefined;
}
