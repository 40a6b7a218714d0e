import type { ProviderView } from "../state/provider-view.ts";
import type { Rights } from "../state/recorded-scope.ts";
import type { Family } from "./family.ts";
import type { InstanceWarning } from "./instance-warning.ts";

/**
 * The rights of an instance: those that its spec names, else those that its record says it has, else
 * the fewest that are possible. So a new instance with named namespaces has rights there alone, one
 * that was installed before keeps what it has, and a lost record never widens anything.
 */
export function rightsOf({ provider, rights }: Pick<ProviderView, "provider" | "rights">): Rights {
  const { namespaces, rbac } = provider.spec?.watch ?? {};
  if (rbac !== undefined) return rbac;
  return namespaces === undefined ? "Cluster" : (rights ?? "Namespaced");
}

/** What an administrator should know of the rights of an instance that names its namespaces. */
export function rightsWarnings({ self: { view } }: Family): readonly InstanceWarning[] {
  const { namespaces, rbac } = view.provider.spec?.watch ?? {};
  if (namespaces === undefined || rbac !== undefined || rightsOf(view) !== "Cluster") return [];
  const message =
    "its account may read the Secrets of all namespaces, as before the default of spec.watch.rbac " +
    "changed; set it to Namespaced for rights in spec.watch.namespaces alone, or to Cluster to keep them";
  return [{ reason: "ClusterRights", message }];
}
