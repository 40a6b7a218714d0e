import type {
  DeleteCollectionRequest,
  DeleteRequest,
  DeleteResult,
  ListRequest,
  ResourceHandlers,
} from "@rookery/apiserver";
import { isNotFound, type KubeList } from "@rookery/kube";
import { createObject } from "./create-object.ts";
import { deleteNamed, deleteObject } from "./delete-object.ts";
import { getObject } from "./get-object.ts";
import { listObjects } from "./list-objects.ts";
import { ObjectVersions } from "./object-versions.ts";
import type { StorageOptions } from "./storage-options.ts";
import { updateObject } from "./update-object.ts";
import { watchObjects } from "./watch-objects.ts";

/**
 * All verbs of a resource, like kube-apiserver's. Written objects must have passed `createStrategy`
 * with the same options.
 */
export function createStorage(options: StorageOptions): Required<ResourceHandlers> {
  const versions = new ObjectVersions(options);
  const list = listObjects(options, versions);
  const remove = deleteObject(options, versions);
  return {
    create: createObject(options, versions),
    get: getObject(options, versions),
    list,
    watch: watchObjects(options, versions),
    update: updateObject(options, versions),
    delete: deleteNamed(options, remove),
    deleteCollection: deleteCollection(list, remove),
  };
}

/** Handlers of a status subresource, for use with `createStatusStrategy`. */
export function createStatusStorage(
  options: StorageOptions,
): Required<Pick<ResourceHandlers, "get" | "update">> {
  const versions = new ObjectVersions(options);
  const update = updateObject(options, versions);
  // A status update never creates an object.
  return {
    get: getObject(options, versions),
    update: ({ created: _, ...request }) => update(request),
  };
}

/** Deletes the listed objects one by one and returns the list. */
function deleteCollection(
  list: (request: ListRequest) => Promise<KubeList>,
  remove: (request: DeleteRequest) => Promise<DeleteResult>,
) {
  return async (request: DeleteCollectionRequest): Promise<KubeList> => {
    const found = await list({ ...request, options: request.listOptions });
    for (const { metadata } of found.items) {
      request.signal.throwIfAborted();
      const { namespace = "", name = "" } = metadata;
      try {
        await remove({ ...request, namespace, name });
      } catch (error) {
        // Another client deleted it first.
        if (!isNotFound(error)) throw error;
      }
    }
    return found;
  };
}
