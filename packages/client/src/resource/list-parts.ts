import { isResourceExpired, type KubeObject, type ListMeta } from "@rookery/kube";
import type { ListOptions } from "./options.ts";

/** Some objects of a list. */
export interface ListPart<T extends KubeObject> {
  readonly items: readonly T[];
  /** The list has begun anew: what came before is void. */
  readonly restarted: boolean;
}

/** Must not keep the caller waiting: the next part comes when it returns. */
export type OnListPart<T extends KubeObject> = (part: ListPart<T>) => void;

export interface Parting<T extends KubeObject> {
  /** Asks for one answer and hands its objects on as they come. */
  readonly read: (
    options: ListOptions,
    onItems: (items: readonly T[]) => void,
  ) => Promise<ListMeta>;
  readonly options: ListOptions;
  readonly onPart: OnListPart<T>;
}

/**
 * Lists one state of a resource, in one answer or in as many as the server makes of it. Where that
 * state is compacted on the way (410), it begins anew, this time in one piece, as client-go does.
 * Resolves to what the list says of itself.
 */
export async function listParts<T extends KubeObject>(parting: Parting<T>): Promise<ListMeta> {
  const { read, onPart } = parting;
  const onItems = (items: readonly T[]) => onPart({ items, restarted: false });
  let metadata = await read(parting.options, onItems);
  // Where to go on is in the token: the server refuses a resourceVersion beside it.
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
