import type { AdmissionAttributes, AdmissionPlugin } from "@rookery/apiserver";
import { type DeepMutable, deepCopy, type KubeObject } from "@rookery/kube";

export type MutatedAttributes = AdmissionAttributes & { readonly object: KubeObject };

/** A step of a plugin: it changes the copy that it is given, or refuses by throwing. */
export type Mutation<T> = (copy: T, attributes: MutatedAttributes) => void | Promise<void>;

/** Makes a function of a plugin of a step that is only for some objects. */
export function mutating<T extends object>(
  concerns: (attributes: AdmissionAttributes) => boolean,
  change: Mutation<T>,
): NonNullable<AdmissionPlugin["mutate"]> {
  return async (attributes) => {
    const { object } = attributes;
    if (object === undefined) throw new TypeError("a deletion has no object to change");
    if (!concerns(attributes)) return object;
    const copy: DeepMutable<KubeObject> = deepCopy(object);
    await change(copy as T, { ...attributes, object });
    return copy as KubeObject;
  };
}
