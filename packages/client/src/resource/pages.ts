import { isResourceExpired, type KubeList, type KubeObject } from "@rookery/kube";
import type { ListOptions } from "./options.ts";

/** One page of a list. */
export interface Page<T extends KubeObject> {
  readonly list: KubeList<T>;
  /** The list has begun anew: what came in pages before this one is void. */
  readonly restarted: boolean;
}

/** The next page is already asked for when this is called; a promise holds back the one after. */
export type OnPage<T extends KubeObject> = (page: Page<T>) => void | Promise<void>;

export interface Paging<T extends KubeObject> {
  readonly list: (options: ListOptions) => Promise<KubeList<T>>;
  readonly options: ListOptions;
  readonly onPage: OnPage<T>;
}

/** As in client-go. */
const defaultPageSize = 500;

/**
 * Lists in pages of one state of the resource. Where that state is compacted on the way (410), it
 * begins anew, this time in one piece so that it comes to an end, as client-go does.
 */
export async function listPages<T extends KubeObject>(paging: Paging<T>): Promise<void> {
  const { list, options, onPage } = paging;
  const stop = new AbortController();
  const onAbort = () => stop.abort(options.signal?.reason);
  options.signal?.addEventListener("abort", onAbort, { once: true });
  if (options.signal?.aborted) onAbort();
  try {
    await followPages({ ...paging, options: { ...options, signal: stop.signal } });
  } catch (error) {
    if (!(error instanceof PageExpired)) throw error;
    const { limit: _, continue: __, ...whole } = options;
    await onPage({ list: await list(whole), restarted: true });
  } finally {
    options.signal?.removeEventListener("abort", onAbort);
    // A page may be on its way that nobody wants since a callback threw.
    stop.abort();
  }
}

async function followPages<T extends KubeObject>(paging: Paging<T>): Promise<void> {
  const options = { ...paging.options, limit: paging.options.limit ?? defaultPageSize };
  let asked: Promise<KubeList<T>> | undefined = paging.list(options);
  while (asked !== undefined) {
    const list: KubeList<T> = await asked;
    asked = nextPage(paging, { ...options, continue: list.metadata.continue ?? "" });
    // It may fail while the callback is at work; that shows when it is its turn.
    asked?.catch(() => {});
    await paging.onPage({ list, restarted: false });
  }
}

class PageExpired extends Error {}

/** Where to go on is in the token: the server refuses a resourceVersion beside it. */
function nextPage<T extends KubeObject>(
  { list }: Paging<T>,
  options: ListOptions,
): Promise<KubeList<T>> | undefined {
  if (options.continue === "") return undefined;
  const { resourceVersion: _, resourceVersionMatch: __, ...rest } = options;
  return list(rest).catch((error) => {
    throw isResourceExpired(error) ? new PageExpired("", { cause: error }) : error;
  });
}
