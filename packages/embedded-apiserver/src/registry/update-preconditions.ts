import type { ResourceRequest } from "@rookery/apiserver";
import { conflictError, FieldError, invalidError, type KubeObject } from "@rookery/kube";
import { UnreadableVersionError } from "../errors.ts";
import { requestedResource } from "./get-object.ts";
import { parseResourceVersion, unclassifiedError } from "./resource-version.ts";
import type { StorageOptions } from "./storage-options.ts";

/** An object that was sent whole is meant for the one that it was made from. */
export function assertSameUid(
  { metadata }: KubeObject,
  current: KubeObject,
  { request, options }: { request: ResourceRequest; options: StorageOptions },
): void {
  const { uid = "" } = metadata;
  const found = current.metadata.uid ?? "";
  if (request.info.verb !== "update" || uid === "" || uid === found) return;
  const { storagePrefix = "" } = options.rules;
  const key = [storagePrefix, request.namespace, request.name].filter((part) => part !== "");
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${found}`;
  throw conflictError(
    requestedResource(request),
    request.name,
    `StorageError: invalid object, Code: 4, Key: ${key.join("/")}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  );
}

/** Throws where an object was made from another version than the one that is there. */
export function assertSameVersion(
  { metadata }: KubeObject,
  current: KubeObject,
  { request, options }: { request: ResourceRequest; options: StorageOptions },
): void {
  const asked = parseWritten(metadata.resourceVersion ?? "");
  const { group, resource } = requestedResource(request);
  if (asked === 0) {
    if (!options.rules.requiresResourceVersion) return;
    const detail = "must be specified for an update";
    const problem = FieldError.invalid("metadata.resourceVersion", 0, detail);
    throw invalidError({ group, kind: resource }, request.name, [problem]);
  }
  if (asked === Number(current.metadata.resourceVersion)) return;
  const why =
    "the object has been modified; please apply your changes to the latest version and try again";
  throw conflictError({ group, resource }, request.name, why);
}

function parseWritten(resourceVersion: string): number {
  try {
    return parseResourceVersion(resourceVersion);
  } catch (error) {
    if (!(error instanceof UnreadableVersionError)) throw error;
    throw unclassifiedError(error.reason);
  }
}
