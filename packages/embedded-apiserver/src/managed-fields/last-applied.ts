import { type KubeObject, renderJson } from "@rookery/kube";
import { difference, emptySet, type FieldSet } from "./field-set.ts";
import { isMergeError } from "./merge-errors.ts";
import { compareObjects, fieldsOfObject, type TypedObject } from "./typed-object.ts";
import { assertMergeable } from "./validate-value.ts";

/** The annotation of client-side apply. */
const annotation = "kubectl.kubernetes.io/last-applied-configuration";

/** The manager that client-side apply is migrated to. */
export const clientSideManager = "kubectl";

const maxAnnotationsBytes = 256 * 1024;

/**
 * The fields that still have the values of the last client-side apply: taking them over is no
 * conflict.
 */
export function lastAppliedFields({ object, schema }: TypedObject): FieldSet {
  const text = object.metadata.annotations?.[annotation];
  if (!text) return emptySet;
  try {
    const last = JSON.parse(text) as KubeObject;
    if (last?.apiVersion !== object.apiVersion) return emptySet;
    const [before, after] = [
      { object: last, schema },
      { object, schema },
    ];
    for (const each of [before, after]) {
      assertMergeable(schema, each.object, { allowsRepeated: false });
    }
    const { added, modified, removed } = compareObjects(before, after);
    const fields = fieldsOfObject(before);
    return difference(difference(difference(fields, modified), added), removed);
  } catch (error) {
    if (isMergeError(error)) return emptySet;
    throw error;
  }
}

/** Updates the annotation of client-side apply if the object has it. */
export function withLastApplied(object: KubeObject, wanted: KubeObject): KubeObject {
  const { annotations } = object.metadata;
  if (!annotations?.[annotation]) return object;
  const text = `${renderJson(withoutAnnotation(wanted))}\n`;
  const { [annotation]: _, ...others } = annotations;
  const changed = { ...annotations, [annotation]: text };
  const kept = sizeOf(changed) > maxAnnotationsBytes ? others : changed;
  return { ...object, metadata: { ...object.metadata, annotations: kept } };
}

function withoutAnnotation(wanted: KubeObject): KubeObject {
  const { annotations, ...metadata } = wanted.metadata ?? {};
  if (!annotations) return wanted;
  const { [annotation]: _, ...others } = annotations;
  return { ...wanted, metadata: { ...metadata, annotations: others } };
}

function sizeOf(annotations: Readonly<Record<string, string>>): number {
  return Object.entries(annotations).reduce(
    (size, [key, value]) => size + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
}
