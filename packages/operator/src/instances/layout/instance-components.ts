import { type Component, componentKeyOf, isWebhookConfiguration } from "@rookery/components";
import type { LabelSelector } from "@rookery/kube";
import { namespaceExpression } from "@rookery/runtime";
import type { InstanceLayout } from "../../state/install-state.ts";
import {
  configurationNames,
  type InstanceTarget,
  isShared,
  ownConfigurationName,
  withConfigurationRights,
  withFirstInstance,
} from "./names.ts";
import { credentialsRights, namespacedRights, withAccounts } from "./rbac.ts";
import { withScope } from "./workloads.ts";

/** The components of one instance; a proxy, if it needs one, is not yet injected. */
export function instanceComponents(
  components: readonly Component[],
  layout: InstanceLayout,
  instance: InstanceTarget,
): readonly Component[] {
  const { namespace, name } = instance;
  const { scope, first, rbac, accounts } = layout;
  const configurations = configurationNames(components);
  const isOwn = (component: Component) => first || !isShared(componentKeyOf(component), namespace);
  const own = components
    .filter(isOwn)
    .map((component) => withFirstInstance(component, `${namespace}/${name}`))
    .map((component) => withAccounts(component, accounts))
    .map((component) => withConfigurationRights(component, configurations, accounts))
    .map((component) => withAdmission(component, layout, namespace))
    .map((component) => withScope(component, { layout, instance, configurations }));
  if (rbac !== "Namespaced" || scope.type !== "namespaces") return own;
  return [
    ...own,
    ...namespacedRights(components, namespace, scope.namespaces),
    ...credentialsRights(components, namespace, layout.credentials),
  ];
}

interface Webhook {
  readonly namespaceSelector?: LabelSelector;
  readonly rules?: readonly WebhookRule[];
}

interface WebhookRule {
  readonly scope?: string;
}

/** A webhook configuration limited to the namespaces that an instance admits, with its own name. */
function withAdmission(component: Component, layout: InstanceLayout, namespace: string): Component {
  if (!isWebhookConfiguration(component)) return component;
  const { metadata, webhooks = [] } = component;
  const name = ownConfigurationName(metadata.name ?? "", namespace);
  const narrowed = (webhooks as readonly Webhook[])
    .map((webhook) => narrow(webhook, layout))
    .filter(({ rules }) => rules === undefined || rules.length > 0);
  return { ...component, metadata: { ...metadata, name }, webhooks: narrowed } as Component;
}

function narrow(webhook: Webhook, { admits, first }: InstanceLayout): Webhook {
  const { rules, namespaceSelector } = webhook;
  const own = first ? rules : rules?.flatMap(namespacedOnly);
  const expression = namespaceExpression(admits);
  const selector = expression && {
    ...namespaceSelector,
    matchExpressions: [...(namespaceSelector?.matchExpressions ?? []), expression],
  };
  return {
    ...webhook,
    ...(own && { rules: own }),
    ...(selector && { namespaceSelector: selector }),
  };
}

/** Namespace selectors do not apply to cluster-scoped objects. */
function namespacedOnly(rule: WebhookRule): WebhookRule[] {
  return rule.scope === "Cluster" ? [] : [{ ...rule, scope: "Namespaced" }];
}
