import type { AdmissionAttributes, AdmissionPlugin } from "@rookery/apiserver";
import {
  type DeepMutable,
  deepCopy,
  forbiddenError,
  type KubeObject,
  type StatusError,
} from "@rookery/kube";

export type MutatedAttributes = AdmissionAttributes & { readonly object: KubeObject };

/** A step of a plugin: it changes the copy that it is given, or refuses by throwing. */
export type Mutation<T> = (copy: T, attributes: MutatedAttributes) => void | Promise<void>;

/** Makes a function of a plugin of a step that is only for some objects. */
export function mutating<T extends object>(
  concerns: (attributes: AdmissionAttributes) => boolean,
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
    return concerns(attributes) ? changed(object, attributes) : object;
  };
}

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
