import { renameObject } from "@rookery/group-suffix";
import { allNamespaces, namespaceExpression } from "@rookery/runtime";
import { injectWorkload, pointService } from "./inject-workload.ts";
import { isRbac, isWebhookConfiguration } from "./kinds.ts";
import { instanceLabel, type Manifest } from "./manifest.ts";
import { followNamespace, placeInNamespace } from "./move-namespace.ts";
import { openCallbacks } from "./network-policies.ts";
import type { Plan } from "./plan.ts";
import { onlyCallback, refuseTooLong } from "./refuse.ts";
import { renameByItself } from "./rename-by-itself.ts";
import { accountSource } from "./service-account.ts";
import { type Fields, isFields, updateAt } from "./update-at.ts";

/** Returns the same manifest if nothing changes. Errors: UnsafeManifestError. */
export function renderManifest(manifest: Manifest, plan: Plan): Manifest {
  const { mapping } = plan;
  const { rules = [], instance } = plan.options;
  const steps: readonly ((found: Manifest) => Manifest)[] = [
    // The order matters: the plan identifies manifests by their original state.
    (found) => addProxy(found, plan),
    plan.names.rename,
    plan.names.follow,
    (found) => narrowAggregation(found, plan),
    (found) => moveTo(found, plan),
    (found) => narrowAdmission(found, plan),
    (found) => (mapping.pairs.length > 0 ? renameObject(found, { mapping, rules }) : found),
  ];
  const rendered = steps.reduce((found, step) => step(found), manifest);
  refuseTooLong(rendered, instance);
  return rendered === manifest || instance === undefined ? rendered : withLabel(rendered, instance);
}

function addProxy(manifest: Manifest, plan: Plan): Manifest {
  const { callbacks, manifests, mapping, options } = plan;
  const { image, rules = [], scope = allNamespaces, managerArguments } = options;
  if (managerArguments) return renameByItself(manifest, managerArguments, plan.names);
  const callback = onlyCallback(callbacks.filter(({ workload }) => workload === manifest));
  const account = accountSource(manifest, manifests);
  const pointed = pointService(manifest, callbacks);
  const open = openCallbacks(pointed, callbacks);
  return injectWorkload(open, { image, mapping, rules, scope, account, callback });
}

/**
 * Without this, the rights of other instances would be aggregated too, as all have the same
 * labels.
 */
function narrowAggregation(manifest: Manifest, { options: { instance } }: Plan): Manifest {
  if (instance === undefined || !isRbac(manifest, "ClusterRole")) return manifest;
  const own = { [instanceLabel]: instance };
  return updateAt(manifest, "aggregationRule.clusterRoleSelectors[]", (selector) => {
    const { matchLabels, ...rest } = selector as { readonly matchLabels?: object };
    return { ...rest, matchLabels: { ...matchLabels, ...own } };
  });
}

function moveTo(manifest: Manifest, { move, isInside }: Plan): Manifest {
  if (!move) return manifest;
  const placed = isInside(manifest) ? placeInNamespace(manifest, move.to) : manifest;
  return followNamespace(placed, move);
}

function withLabel(manifest: Manifest, instance: string): Manifest {
  const labels = { ...manifest.metadata.labels, [instanceLabel]: instance };
  return { ...manifest, metadata: { ...manifest.metadata, labels } };
}

/**
 * Restricts the webhooks of an instance to its own namespaces if groups are not renamed. Without a
 * name it has no webhooks of its own.
 */
function narrowAdmission(manifest: Manifest, { mapping, options }: Plan): Manifest {
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
