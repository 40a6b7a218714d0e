import { type DeleteOptions, type ResourceRequest, unclassifiedError } from "@rookery/apiserver";
import {
  conflictError,
  FieldError,
  invalidError,
  type KubeObject,
  type StatusError,
} from "@rookery/kube";
import { requestedResource } from "./get-object.ts";
import { parseResourceVersion } from "./resource-version.ts";
import type { StorageOptions } from "./storage-options.ts";

export interface UnmetPrecondition {
  readonly what: "UID" | "ResourceVersion";
  readonly wanted: string;
  readonly found: string;
}

/** The first precondition that an object does not meet. */
export function unmetPrecondition(
  { uid, resourceVersion }: DeleteOptions["preconditions"] = {},
  { metadata: found }: KubeObject,
): UnmetPrecondition | undefined {
  if (uid !== undefined && uid !== found.uid) {
    return { what: "UID", wanted: uid, found: found.uid ?? "" };
  }
  if (resourceVersion === undefined || resourceVersion === found.resourceVersion) return undefined;
  return { what: "ResourceVersion", wanted: resourceVersion, found: found.resourceVersion ?? "" };
}

/** In the wording of etcd's preconditions. */
export function preconditionFailure({ what, wanted, found }: UnmetPrecondition): string {
  return `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`;
}

/** In the wording of the generic registry. */
export function describeMismatch({ what, wanted, found }: UnmetPrecondition): string {
  const guess = what === "UID" ? "deleted and then recreated" : "modified";
  return `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found}). The object might have been ${guess}`;
}

/** A precondition that fails in the storage of an update. */
export function storageFailure(key: string, unmet: UnmetPrecondition): string {
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${preconditionFailure(unmet)}`;
}

/** Throws where a PUT names the uid of another object. */
export function assertSameUid(
  { metadata }: KubeObject,
  current: KubeObject,
  { request, options }: { request: ResourceRequest; options: StorageOptions },
): void {
  const unmet = metadata.uid && unmetPrecondition({ uid: metadata.uid }, current);
  if (request.info.verb !== "update" || !unmet) return;
  const { storagePrefix = "" } = options.rules;
  const key = [storagePrefix, request.namespace, request.name].filter((part) => part !== "");
  const why = storageFailure(key.join("/"), unmet);
  throw conflictError(requestedResource(request), request.name, why);
}

/** Throws where an object was made from another version than the stored one. */
export function assertSameVersion(
  { metadata }: KubeObject,
  current: KubeObject,
  { request, options }: { request: ResourceRequest; options: StorageOptions },
): void {
  const requested = parseResourceVersion(metadata.resourceVersion ?? "", unreadableVersion);
  const { group, resource } = requestedResource(request);
  if (requested === 0) {
    if (!options.rules.requiresResourceVersion) return;
    const detail = "must be specified for an update";
    const problem = FieldError.invalid("metadata.resourceVersion", 0, detail);
    throw invalidError({ group, kind: resource }, request.name, [problem]);
  }
  if (requested === Number(current.metadata.resourceVersion)) return;
  const why =
    "the object has been modified; please apply your changes to the latest version and try again";
  throw conflictError({ group, resource }, request.name, why);
}

function unreadableVersion({ detail }: FieldError): StatusError {
  return unclassifiedError(detail);
}
