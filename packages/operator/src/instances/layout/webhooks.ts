import { type Component, isWebhookConfiguration } from "@rookery/components";
import type { LabelSelector } from "@rookery/kube";
import { type NamespaceScope, namespaceExpression } from "@rookery/runtime";
import { ownConfigurationName } from "./configuration-names.ts";

interface Webhook {
  readonly namespaceSelector?: LabelSelector;
  readonly rules?: readonly WebhookRule[];
}

interface WebhookRule {
  readonly scope?: string;
}

export interface Admission {
  /** Where the instance lives; it makes names of its own. */
  readonly namespace: string;
  readonly admits: NamespaceScope;
  /** Whether it admits what is in no namespace. */
  readonly first: boolean;
}

/** A webhook configuration for the namespaces that an instance admits, under a name of its own. */
export function withAdmission(component: Component, admission: Admission): Component {
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

/** A selector of namespaces says nothing of objects that are in none. */
function namespacedOnly(rule: WebhookRule): WebhookRule[] {
  return rule.scope === "Cluster" ? [] : [{ ...rule, scope: "Namespaced" }];
}
