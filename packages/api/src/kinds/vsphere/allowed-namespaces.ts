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
