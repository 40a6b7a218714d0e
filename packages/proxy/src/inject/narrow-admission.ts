import { allNamespaces, namespaceExpression } from "@rookery/runtime";
import { isWebhookConfiguration } from "./kinds.ts";
import type { Manifest } from "./manifest.ts";
import type { Plan } from "./plan.ts";
import { type Fields, isFields, updateAt } from "./update-at.ts";

/**
 * Lets the webhooks of an instance be called for its own namespaces alone: where groups are not
 * renamed, those of the others are called for theirs. Without a name it has no webhooks of its own.
 */
export function narrowAdmission(manifest: Manifest, { mapping, options }: Plan): Manifest {
  const { scope = allNamespaces, instance } = options;
  const expression = namespaceExpression(scope);
  const isShared = mapping.pairs.length > 0 || instance === undefined;
  if (isShared || !expression || !isWebhookConfiguration(manifest)) return manifest;
  return updateAt(manifest, "webhooks[]", (webhook) =>
    isFields(webhook) ? withExpression(webhook, expression) : webhook,
  );
}

function withExpression(webhook: Fields, expression: object): Fields {
  const selector = isFields(webhook.namespaceSelector) ? webhook.namespaceSelector : {};
  const { matchExpressions } = selector;
  const expressions = [...(Array.isArray(matchExpressions) ? matchExpressions : []), expression];
  return { ...webhook, namespaceSelector: { ...selector, matchExpressions: expressions } };
}
