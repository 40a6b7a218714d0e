import { badRequestError, type KubeObject, type OwnerReference } from "@rookery/kube";
import type { ResourceScope } from "./registry.ts";

/** Clears fields that only the server sets. */
export function withoutSystemFields(object: KubeObject): KubeObject {
  const {
    creationTimestamp: _,
    deletionTimestamp: __,
    deletionGracePeriodSeconds: ___,
    uid: ____,
    selfLink: _____,
    ...metadata
  } = object.metadata;
  return { ...object, metadata };
}

/** Drops the version of a new object. */
export function withoutVersion(object: KubeObject): KubeObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Sets the request's namespace. Throws for another one. */
export function inRequestNamespace(
  object: KubeObject,
  namespace: string,
  { resource }: ResourceScope,
): KubeObject {
  const { namespace: own = "", ...metadata } = object.metadata;
  if (!resource.namespaced) return own === "" ? object : { ...object, metadata };
  if (own === namespace) return object;
  if (own !== "") {
    throw badRequestError(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
  return { ...object, metadata: { ...metadata, namespace } };
}

/** Drops duplicate owner references with a warning. */
export function withUniqueOwners(
  object: KubeObject,
  warn: (text: string) => void,
  when?: string,
): KubeObject {
  const references = object.metadata.ownerReferences ?? [];
  const kept = new Map<string, OwnerReference>();
  const repeated: string[] = [];
  for (const reference of references) {
    const content = JSON.stringify(Object.entries(reference).sort());
    if (kept.has(content)) repeated.push(reference.uid);
    else kept.set(content, reference);
  }
  if (repeated.length === 0) return object;
  const found = when === undefined ? "" : ` ${when}`;
  warn(
    `.metadata.ownerReferences contains duplicate entries${found}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(", ")}`,
  );
  return { ...object, metadata: { ...object.metadata, ownerReferences: [...kept.values()] } };
}

/** Throws if the object's name is not that of the path. */
export function assertNamed(object: KubeObject, expected: string): void {
  const { name = "" } = object.metadata;
  if (name === "") {
    throw badRequestError(
      `the name of the object (${expected} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (name !== expected) {
    throw badRequestError(
      `the name of the object (${name}) does not match the name on the URL (${expected})`,
    );
  }
}
