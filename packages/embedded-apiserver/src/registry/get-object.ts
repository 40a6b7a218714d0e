import type { GetRequest, ResourceRequest } from "@rookery/apiserver";
import type { StoreEntry, StoreKey } from "@rookery/kube";
import {
  badRequestError,
  formatGroupResource,
  type GroupResource,
  type KubeObject,
  notFoundError,
  validatePathSegmentName,
} from "@rookery/kube";
import type { ObjectVersions } from "./object-versions.ts";
import { parseReadVersion, tooLargeResourceVersionError } from "./resource-version.ts";
import type { StorageOptions } from "./storage-options.ts";

export function getObject(options: StorageOptions, versions: ObjectVersions) {
  return (request: GetRequest): KubeObject | Promise<KubeObject> => {
    assertReached(request.resourceVersion, options);
    return versions.served(existingEntry(request, options));
  };
}

/** The resource in the request's group: one resource may be served in several groups. */
export function requestedResource({ info }: ResourceRequest): GroupResource {
  return { group: info.group, resource: info.resource };
}

/** Throws a bad request for an invalid name. */
export function keyOf(
  { namespace, name }: ResourceRequest,
  { resource }: StorageOptions,
): StoreKey {
  const problems = validatePathSegmentName(name);
  if (problems.length > 0) {
    throw badRequestError(`Name parameter invalid: ${JSON.stringify(name)}: ${problems.join(";")}`);
  }
  return { resource: formatGroupResource(resource), namespace, name };
}

/** Throws a 404. */
export function existingEntry(request: ResourceRequest, options: StorageOptions): StoreEntry {
  const entry = options.store.get(keyOf(request, options));
  if (!entry) throw notFoundError(requestedResource(request), request.name);
  return entry;
}

function assertReached(resourceVersion: string, { store }: StorageOptions): void {
  if (parseReadVersion(resourceVersion) <= store.revision) return;
  throw tooLargeResourceVersionError(resourceVersion, store.revision);
}
