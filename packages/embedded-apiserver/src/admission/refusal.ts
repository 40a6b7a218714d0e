import type { AdmissionAttributes } from "@rookery/apiserver";
import { forbiddenError, type StatusError } from "@rookery/kube";

type Refused = Pick<AdmissionAttributes, "name" | "object" | "resource">;

/** What a plugin says of an object that it does not let pass. A name may be still to come. */
export function refusal({ name, object, resource }: Refused, why: string): StatusError {
  const { name: own, generateName } = object?.metadata ?? {};
  return forbiddenError(resource, name || own || generateName || "Unknown", why);
}

/** Whether it is about objects of a core resource, and not about a part of them. */
export function isAbout(
  { resource, subresource }: Pick<AdmissionAttributes, "resource" | "subresource">,
  plural: string,
  group = "",
): boolean {
  return resource.group === group && resource.resource === plural && subresource === "";
}
