import { type Component, componentKeyOf } from "@rookery/components";
import type { InstanceLayout } from "../../state/instance-layout.ts";
import { configurationNames, withConfigurationRights } from "./configuration-names.ts";
import { credentialsRights, namespacedRights, withAccounts } from "./rbac.ts";
import { isShared, withFirstInstance } from "./shared.ts";
import { withAdmission } from "./webhooks.ts";
import { withScope } from "./workloads.ts";

/** The instance that components are for. */
export interface InstanceTarget {
  readonly namespace: string;
  readonly name: string;
  /** The value of the label cluster.x-k8s.io/provider. */
  readonly label: string;
  /** Flags that a manager needs because it does not see all objects. */
  readonly flags: Readonly<Record<string, string>>;
}

/**
 * The components of one instance among several: what all share with the first alone, its webhooks for
 * its own namespaces and under a name of its own, its manager told what to watch. Where a proxy
 * narrows, it has yet to be put beside the manager.
 */
export function instanceComponents(
  components: readonly Component[],
  layout: InstanceLayout,
  instance: InstanceTarget,
): readonly Component[] {
  const { namespace, name, label, flags } = instance;
  const { scope, by, first, admits, rbac, accounts } = layout;
  const configurations = configurationNames(components);
  const isMine = (component: Component) => first || !isShared(componentKeyOf(component), namespace);
  const own = components
    .filter(isMine)
    .map((component) => withFirstInstance(component, `${namespace}/${name}`))
    .map((component) => withAccounts(component, accounts))
    .map((component) => withConfigurationRights(component, configurations, accounts))
    .map((component) => withAdmission(component, { namespace, admits, first }))
    .map((component) =>
      withScope(component, { scope, by, label, flags, namespace, configurations }),
    );
  const isFiner = rbac === "Namespaced" && scope.type === "namespaces";
  if (!isFiner) return own;
  return [
    ...own,
    ...namespacedRights(components, namespace, scope.namespaces),
    ...credentialsRights(components, namespace, layout.credentials),
  ];
}
