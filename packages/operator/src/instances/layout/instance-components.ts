import { type Component, componentKeyOf, isWebhookConfiguration } from "@rookery/components";
import type { LabelSelector } from "@rookery/kube";
import { type NamespaceScope, namespaceExpression } from "@rookery/runtime";
import type { InstanceLayout } from "../../state/install-state.ts";
import {
  configurationNames,
  ownConfigurationName,
  withConfigurationRights,
} from "./configuration-names.ts";
import { credentialsRights, namespacedRights, withAccounts } from "./rbac.ts";
import { isShared, withFirstInstance } from "./shared.ts";
import { withScope } from "./workloads.ts";

export interface InstanceTarget {
  readonly namespace: string;
  readonly name: string;
  /** The value of the label cluster.x-k8s.io/provider. */
  readonly label: string;
  /** Flags for a manager that does not see all objects. */
  readonly flags: Readonly<Record<string, string>>;
}

/** The components of one instance; a proxy, if it needs one, is not yet injected. */
export function instanceComponents(
  components: readonly Component[],
  layout: InstanceLayout,
  instance: InstanceTarget,
): readonly Component[] {
  const { namespace, name, label, flags } = instance;
  const { scope, by, first, admits, rbac, accounts } = layout;
  const configurations = configurationNames(components);
  const isOwn = (component: Component) => first || !isShared(componentKeyOf(component), namespace);
  const own = components
    .filter(isOwn)
    .map((component) => withFirstInstance(component, `${namespace}/${name}`))
    .map((component) => withAccounts(component, accounts))
    .map((component) => withConfigurationRights(component, configurations, accounts))
    .map((component) => withAdmission(component, { namespace, admits, first }))
    .map((component) =>
      withScope(component, { scope, by, label, flags, namespace, configurations }),
    );
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

interface Admission {
  /** The namespace of the instance. */
  readonly namespace: string;
  readonly admits: NamespaceScope;
  /** Whether it admits cluster-scoped objects. */
  readonly first: boolean;
}

/** A webhook configuration limited to the namespaces that an instance admits, with its own name. */
function withAdmission(component: Component, admission: Admission): Component {
  if (!isWebhookConfiguration(component)) return component;
  const { metadata, webhooks = [] } = component;
  const name = ownConfigurationName(metadata.name ?? "", admission.namespace);
  const narrowed = (webhooks as readonly Webhook[])
    .map((webhook) => narrow(webhook, admission))
    .filter(({ rules }) => rules === undefined || rules.length > 0);
  return { ...component, metadata: { ...metadata, name }, webhooks: narrowed } as Component;
}

function narrow(webhook: Webhook, { admits, first }: Admission): Webhook {
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
