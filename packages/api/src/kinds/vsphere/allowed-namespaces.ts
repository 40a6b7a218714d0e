import {
  fieldPath,
  type LabelSelector,
  labelSelectorAsSelector,
  type ObjectMeta,
  validateLabelSelector,
} from "@rookery/kube";
import type { VSphereClusterIdentity } from "./cluster-identity.ts";

type AllowedNamespaces = VSphereClusterIdentity["spec"]["allowedNamespaces"];

/**
 * Whether clusters in a namespace may use an identity: none where nothing is said, any where what is
 * said is empty, else those that the list or the selector has.
 */
export function isNamespaceAllowed(
  allowed: AllowedNamespaces,
  { name = "", labels = {} }: ObjectMeta,
): boolean {
  if (!allowed) return false;
  const { list = [], selector } = allowed;
  if (list.includes(name)) return true;
  if (selector)
    return isSelectorValid(selector) && labelSelectorAsSelector(selector).matches(labels);
  return list.length === 0;
}

/** One that is not valid selects nothing. */
export function isSelectorValid(selector: LabelSelector): boolean {
  return validateLabelSelector(selector, fieldPath("selector")).length === 0;
}

/** Whether clusters in every namespace may use an identity, which is what an empty field means. */
export function isEveryNamespaceAllowed(allowed: AllowedNamespaces): boolean {
  if (!allowed) return false;
  const { list = [], selector } = allowed;
  if (!selector) return list.length === 0;
  return isSelectorValid(selector) && isEmpty(selector);
}

/** "all", "none", or the names and the selector of the namespaces that may use an identity. */
export function allowedNamespacesText(allowed: AllowedNamespaces): string {
  if (!allowed) return "none";
  if (isEveryNamespaceAllowed(allowed)) return "all";
  const { list = [], selector } = allowed;
  return [...list, ...(selector ? [selectorText(selector)] : [])].join(",");
}

function isEmpty({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const others = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `${key} ${operator}${values.length > 0 ? ` (${values.join(" ")})` : ""}`,
  );
  return `[${[...labels, ...others].join(", ")}]`;
}
