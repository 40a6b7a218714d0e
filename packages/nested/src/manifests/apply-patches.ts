import { messageOf } from "@rookery/errors";
import { applyStrategicMergePatch, type KubeObject, patchSchemaOf } from "@rookery/kube";
import { ComponentError } from "../errors.ts";

interface ComponentPatch {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** Applies the patches of a spec in order. Errors: ComponentError for a patch that does not fit. */
export function applyPatches(
  objects: readonly KubeObject[],
  patches: readonly ComponentPatch[] = [],
): KubeObject[] {
  return patches.reduce<KubeObject[]>(
    (patched, patch, index) => applyOne(patched, patch, index),
    [...objects],
  );
}

function applyOne(objects: KubeObject[], patch: ComponentPatch, index: number): KubeObject[] {
  const isMeant = objects.map((object) => matches(object, patch));
  if (!isMeant.includes(true)) throw refused(index, patch, fitsNone(objects));
  return objects.map((object, i) => (isMeant[i] ? patchOne(object, patch, index) : object));
}

function patchOne(object: KubeObject, patch: ComponentPatch, index: number): KubeObject {
  const patched = merge(object, patch, index);
  for (const [what, read] of Object.entries(fixed)) {
    if (JSON.stringify(read(patched)) !== JSON.stringify(read(object))) {
      throw refused(index, patch, `it would change ${what}, by which the component knows its own`);
    }
  }
  return patched;
}

function merge(object: KubeObject, patch: ComponentPatch, index: number): KubeObject {
  try {
    return applyStrategicMergePatch(
      object,
      patch,
      patchSchemaOf(object.kind),
    ) as unknown as KubeObject;
  } catch (error) {
    const why = messageOf(error);
    throw refused(index, patch, why, error);
  }
}

function matches({ apiVersion, kind, metadata }: KubeObject, patch: ComponentPatch): boolean {
  const { name } = (patch.metadata ?? {}) as { readonly name?: unknown };
  const isNamed = name === undefined || name === metadata.name;
  return apiVersion === patch.apiVersion && kind === patch.kind && isNamed;
}

interface Selecting {
  readonly selector?: unknown;
}

const fixed: Readonly<Record<string, (object: KubeObject) => unknown>> = {
  "metadata.name": ({ metadata }) => metadata.name,
  "metadata.namespace": ({ metadata }) => metadata.namespace,
  "metadata.ownerReferences": ({ metadata }) => metadata.ownerReferences,
  "spec.selector": ({ spec }) => (spec as Selecting | undefined)?.selector,
};

function fitsNone(objects: readonly KubeObject[]): string {
  const known = objects.map(
    ({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`,
  );
  return `it fits none of the component's objects: ${known.join(", ")}`;
}

function refused(index: number, { kind }: ComponentPatch, why: string, cause?: unknown) {
  const text = `could not apply spec.patches[${index}] (${kind}): ${why}`;
  return new ComponentError("PatchRefused", text, { cause });
}
