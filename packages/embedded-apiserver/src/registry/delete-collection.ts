import type {
  DeleteCollectionRequest,
  DeleteRequest,
  DeleteResult,
  ListRequest,
} from "@rookery/apiserver";
import { isNotFound, type KubeList } from "@rookery/kube";

/** Deletes what a list gives, one after another, and answers with the list. */
export function deleteCollection(
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
        // Someone else was faster.
        if (!isNotFound(error)) throw error;
      }
    }
    return found;
  };
}
