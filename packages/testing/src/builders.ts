import {
  type Clock,
  controllerReferenceTo,
  formatTime,
  type KubeObject,
  type ObjectMeta,
  ownerReferenceTo,
  type PartialObjectMetadata,
} from "@rookery/kube";

/** Changes one thing about an object that is built. */
export type Modifier = <T extends KubeObject>(object: T) => T;

/**
 * Builds an object for a test from what it is and what is particular about it:
 * `build(nest, inNamespace("x"), withLabels({ color: "blue" }))`.
 */
export function build<T extends KubeObject>(object: T, ...modifiers: readonly Modifier[]): T {
  return modifiers.reduce((built, modify) => modify(built), object);
}

/** An object of any kind that has a name and nothing else. */
export function objectOf(
  apiVersion: string,
  kind: string,
  name: string,
): KubeObject & { readonly metadata: { readonly name: string } } {
  return { apiVersion, kind, metadata: { name } };
}

export function inNamespace(namespace: string): Modifier {
  return withMetadata(() => ({ namespace }));
}

export function withLabels(labels: Readonly<Record<string, string>>): Modifier {
  return withMetadata((metadata) => ({ labels: { ...metadata.labels, ...labels } }));
}

export function withAnnotations(annotations: Readonly<Record<string, string>>): Modifier {
  return withMetadata((metadata) => ({ annotations: { ...metadata.annotations, ...annotations } }));
}

export function withFinalizers(...finalizers: readonly string[]): Modifier {
  return withMetadata((metadata) => ({
    finalizers: [...(metadata.finalizers ?? []), ...finalizers],
  }));
}

export function ownedBy(owner: PartialObjectMetadata): Modifier {
  return withMetadata((metadata) => ({
    ownerReferences: [...(metadata.ownerReferences ?? []), ownerReferenceTo(owner)],
  }));
}

export function controlledBy(owner: PartialObjectMetadata): Modifier {
  return withMetadata((metadata) => ({
    ownerReferences: [...(metadata.ownerReferences ?? []), controllerReferenceTo(owner)],
  }));
}

/** As the API server returns it: with an identity and a version. */
export function stored(uid: string, resourceVersion = "1"): Modifier {
  return withMetadata(() => ({ uid, resourceVersion, generation: 1 }));
}

/** As it is between the request to delete it and its end. */
export function deletedAt(clock: Clock): Modifier {
  return withMetadata(() => ({ deletionTimestamp: formatTime(clock()) }));
}

function withMetadata(change: (metadata: ObjectMeta) => Partial<ObjectMeta>): Modifier {
  return (object) => ({ ...object, metadata: { ...object.metadata, ...change(object.metadata) } });
}
