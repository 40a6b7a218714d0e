import type { AdmissionAttributes } from "@rookery/apiserver";
import {
  formatApiVersion,
  type GroupVersionKind,
  internalError,
  type KubeObject,
} from "@rookery/kube";
import type { Invocation } from "./admission-review.ts";
import type { EquivalentResource } from "./select-webhook.ts";

/** Makes objects of another version of their kind of them. */
export type ConvertObjects = (
  objects: readonly KubeObject[],
  kind: GroupVersionKind,
) => Promise<readonly KubeObject[]>;

/** What a webhook is asked, with the objects in the version that it knows. */
export async function invocationOf(
  { kind, object, oldObject }: AdmissionAttributes,
  selected: EquivalentResource,
  convert: ConvertObjects,
): Promise<Invocation> {
  if (isSameKind(kind, selected.kind)) return { ...selected, object, oldObject };
  const given = [object, oldObject].filter((each) => each !== undefined);
  const converted = [...(await convertAll(given, selected.kind, convert))];
  return {
    ...selected,
    object: object && converted.shift(),
    oldObject: oldObject && converted.shift(),
  };
}

/** An object that a webhook has changed, in the version of the request again. */
export async function toRequestVersion(
  object: KubeObject,
  { kind }: AdmissionAttributes,
  convert: ConvertObjects,
): Promise<KubeObject> {
  if (object.apiVersion === formatApiVersion(kind)) return object;
  const [converted = object] = await convertAll([object], kind, convert);
  return converted;
}

async function convertAll(
  objects: readonly KubeObject[],
  kind: GroupVersionKind,
  convert: ConvertObjects,
): Promise<readonly KubeObject[]> {
  try {
    return await convert(objects, kind);
  } catch (error) {
    throw internalError(error instanceof Error ? error : new Error(String(error)));
  }
}

function isSameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.group === b.group && a.version === b.version && a.kind === b.kind;
}
