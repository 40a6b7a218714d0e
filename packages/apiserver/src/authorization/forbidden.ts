import { forbiddenError, quote, type StatusError } from "@rookery/kube";
import type { Attributes } from "./authorizer.ts";

/** What who is refused is told, in kube-apiserver's words. */
export function forbiddenByAuthorizer(attributes: Attributes, reason = ""): StatusError {
  const { group, resource, name } = attributes;
  const message = withoutMarkup(forbiddenMessage(attributes));
  const why = reason === "" ? message : `${message}: ${reason}`;
  return forbiddenError({ group, resource }, name, why);
}

function forbiddenMessage(attributes: Attributes): string {
  const { user, verb, path, group, resource, subresource, namespace } = attributes;
  const who = `User ${quote(user.name)} cannot ${verb}`;
  if (!attributes.isResourceRequest) return `${who} path ${quote(path)}`;
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${quote(namespace)}`;
  return `${who} resource ${quote(what)} in API group ${quote(group)} ${where}`;
}

/** An error must not look like HTML. */
function withoutMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
