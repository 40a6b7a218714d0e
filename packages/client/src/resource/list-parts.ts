import { isResourceExpired, type KubeObject, type ListMeta } from "@rookery/kube";
import type { ListOptions } from "./options.ts";

export interface ListPart<T extends KubeObject> {
  readonly items: readonly T[];
  /** The list has restarted; earlier parts are void. */
  readonly restarted: boolean;
}

/** Must return quickly, because the next part waits for it. */
export type OnListPart<T extends KubeObject> = (part: ListPart<T>) => void;

export interface Parting<T extends KubeObject> {
  /** Requests one response and passes on its objects. */
  readonly read: (
    options: ListOptions,
    onItems: (items: readonly T[]) => void,
  ) => Promise<ListMeta>;
  readonly options: ListOptions;
  readonly onPart: OnListPart<T>;
}

/**
 * Lists one state of a resource, in one response or in pages. If the state is compacted (410),
 * restarts without pages, as client-go. Resolves to the metadata of the list.
 */
export async function listParts<T extends KubeObject>(parting: Parting<T>): Promise<ListMeta> {
  const { read, onPart } = parting;
  const onItems = (items: readonly T[]) => onPart({ items, restarted: false });
  let metadata = await read(parting.options, onItems);
  // The token has the position; the server rejects a resourceVersion beside it.
  const { resourceVersion: _, resourceVersionMatch: __, ...options } = parting.options;
  while (metadata.continue) {
    try {
      metadata = await read({ ...options, continue: metadata.continue }, onItems);
    } catch (error) {
      if (!isResourceExpired(error)) throw error;
      onPart({ items: [], restarted: true });
      const { limit: _, continue: __, ...whole } = parting.options;
      metadata = await read(whole, onItems);
    }
  }
  return metadata;
}
