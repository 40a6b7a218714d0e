import type { RuleWithOperations } from "@rookery/api";
import type { AdmissionAttributes } from "@rookery/apiserver";
import {
  type GroupVersionKind,
  type GroupVersionResource,
  type KubeObject,
  notFoundError,
} from "@rookery/kube";
import type { Store } from "../store/store.ts";
import type { RegisteredWebhook } from "./registered-webhooks.ts";

/** A resource with the same objects, in another version or group. */
export interface EquivalentResource {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** Finds the equivalents of a resource or a subresource. */
export type EquivalentsOf = (
  resource: GroupVersionResource,
  subresource: string,
) => readonly EquivalentResource[];

export interface SelectionContext {
  readonly store: Store;
  readonly equivalentsOf: EquivalentsOf;
}

/**
 * The resource for which a webhook is called; undefined if rules and selectors do not match. Conditions
 * are not evaluated. Throws NotFound for a missing namespace.
 */
export function selectWebhook(
  registered: RegisteredWebhook,
  attributes: AdmissionAttributes,
  context: SelectionContext,
): EquivalentResource | undefined {
  const inNamespace = matchesNamespace(registered, attributes, context.store);
  if (inNamespace === false || !matchesObject(registered, attributes)) return undefined;
  const selected = matchesRules(registered, attributes, context.equivalentsOf);
  if (selected && inNamespace !== true) throw inNamespace;
  return selected;
}

/** Webhooks are not called for webhook configurations. */
export function isExempt({ kind }: AdmissionAttributes): boolean {
  return kind.group === "admissionregistration.k8s.io" && exemptKinds.includes(kind.kind);
}

const exemptKinds = ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"];

function matchesRules(
  { webhook }: RegisteredWebhook,
  attributes: AdmissionAttributes,
  equivalentsOf: EquivalentsOf,
): EquivalentResource | undefined {
  const { resource, kind, subresource } = attributes;
  const rules = webhook.rules ?? [];
  if (rules.some((rule) => ruleMatches(rule, attributes))) return { resource, kind };
  if (webhook.matchPolicy !== "Equivalent") return undefined;
  const equivalents = equivalentsOf(resource, subresource);
  for (const rule of rules) {
    const found = equivalents.find((each) =>
      ruleMatches(rule, { ...attributes, resource: each.resource }),
    );
    if (found) return found;
  }
  return undefined;
}

function matchesObject(
  { objectSelector }: RegisteredWebhook,
  { object, oldObject }: AdmissionAttributes,
): boolean {
  if (objectSelector.isEmpty) return true;
  return [object, oldObject].some(
    (each) => each && objectSelector.matches(each.metadata?.labels ?? {}),
  );
}

/** Matches cluster-scoped objects, and namespaces by their own labels. */
function matchesNamespace(
  { namespaceSelector }: RegisteredWebhook,
  attributes: AdmissionAttributes,
  store: Store,
): boolean | Error {
  const { namespace, resource } = attributes;
  if (namespace === "" && resource.resource !== "namespaces") return true;
  if (namespaceSelector.isEmpty) return true;
  const found = namespaceOf(attributes, store);
  if (!found) return notFoundError({ group: "", resource: "namespaces" }, namespace);
  return namespaceSelector.matches(found.metadata?.labels ?? {});
}

function namespaceOf(attributes: AdmissionAttributes, store: Store): KubeObject | undefined {
  const { namespace, resource, subresource, object } = attributes;
  if (resource.resource === "namespaces" && subresource === "" && object) return object;
  return store.get({ resource: "namespaces", namespace: "", name: namespace })?.object;
}

/** The parts of a request that rules match. */
type RuleSubject = Pick<AdmissionAttributes, "operation" | "namespace" | "subresource"> & {
  readonly resource: GroupVersionResource;
};

function ruleMatches(rule: RuleWithOperations, subject: RuleSubject): boolean {
  const { resource, operation } = subject;
  return (
    isInScope(rule.scope, subject) &&
    isNamed(rule.operations, operation) &&
    isNamed(rule.apiGroups, resource.group) &&
    isNamed(rule.apiVersions, resource.version) &&
    isResource(rule.resources, subject)
  );
}

function isNamed(names: readonly string[] | undefined, name: string): boolean {
  return names?.some((each) => each === "*" || each === name) ?? false;
}

/** Namespaces are cluster-scoped, although their requests name a namespace. */
function isInScope(scope: string | undefined, { resource, namespace }: RuleSubject): boolean {
  if (!scope || scope === "*") return true;
  const { group, version, resource: name } = resource;
  const isNamespace = group === "" && version === "v1" && name === "namespaces";
  const isNamespaced = namespace !== "" && !isNamespace;
  return scope === "Namespaced" ? isNamespaced : scope === "Cluster" && !isNamespaced;
}

function isResource(
  names: readonly string[] | undefined,
  { resource, subresource }: RuleSubject,
): boolean {
  return (names ?? []).some((each) => {
    const slash = each.indexOf("/");
    const [name, sub] = slash === -1 ? [each, ""] : [each.slice(0, slash), each.slice(slash + 1)];
    return (name === "*" || name === resource.resource) && (sub === "*" || sub === subresource);
  });
}
