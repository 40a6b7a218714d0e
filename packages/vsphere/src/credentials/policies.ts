import type { VSphereClusterIdentity } from "@rookery/api";
import {
  fieldPath,
  type LabelSelector,
  labelSelectorAsSelector,
  type ObjectMeta,
  validateLabelSelector,
} from "@rookery/kube";

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

/** Whether credentials may be sent to a server: to any where none is named. */
export function isServerAllowed(servers: readonly string[] | undefined, server: string): boolean {
  return servers === undefined || servers.some((allowed) => isSameServer(allowed, server));
}

/** Names of servers are the same in any case, with the usual port or without. */
function isSameServer(a: string, b: string): boolean {
  return withPort(a) === withPort(b);
}

function withPort(server: string): string {
  const name = server.toLowerCase();
  return /:\d+$/.test(name) ? name : `${name}:443`;
}
