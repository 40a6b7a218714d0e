import type { AdmissionAttributes, AdmissionPlugin } from "@rookery/apiserver";
import {
  type DeepMutable,
  deepCopy,
  forbiddenError,
  formatGroupResource,
  type KubeObject,
  type StatusError,
} from "@rookery/kube";

export type MutatedAttributes = AdmissionAttributes & { readonly object: KubeObject };

/** Changes the copy of an object, or throws to reject the request. */
export type Mutation<T> = (copy: T, attributes: MutatedAttributes) => void | Promise<void>;

/** The `mutate` of a plugin for objects of these resources, such as "pods" or "leases.coordination.k8s.io". */
export function mutating<T extends object>(
  resources: string | readonly string[],
  change: Mutation<T>,
): NonNullable<AdmissionPlugin["mutate"]> {
  const changed = async (object: KubeObject, attributes: AdmissionAttributes) => {
    const copy: DeepMutable<KubeObject> = deepCopy(object);
    await change(copy as T, { ...attributes, object });
    return copy as KubeObject;
  };
  return (attributes) => {
    const { object } = attributes;
    if (object === undefined) throw new TypeError("a deletion has no object to change");
    const isFor = [resources].flat().some((resource) => isAbout(attributes, resource));
    return isFor ? changed(object, attributes) : object;
  };
}

type Refused = Pick<AdmissionAttributes, "name" | "object" | "resource">;

/** The error of a plugin that rejects an object, whose name may not be generated yet. */
export function refusal({ name, object, resource }: Refused, why: string): StatusError {
  const { name: own, generateName } = object?.metadata ?? {};
  return forbiddenError(resource, name || own || generateName || "Unknown", why);
}

/** Whether a request is for a resource itself, not for a subresource. */
export function isAbout(
  { resource, subresource }: Pick<AdmissionAttributes, "resource" | "subresource">,
  name: string,
): boolean {
  return subresource === "" && formatGroupResource(resource) === name;
}
