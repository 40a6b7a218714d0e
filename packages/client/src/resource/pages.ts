import { isResourceExpired, type KubeList, type KubeObject } from "@rookery/kube";
import type { ListOptions } from "./options.ts";

export interface Page<T extends KubeObject> {
  readonly list: KubeList<T>;
  /** The list has restarted; earlier pages are void. */
  readonly restarted: boolean;
}

/** The next page is already requested; a returned promise delays the one after it. */
export type OnPage<T extends KubeObject> = (page: Page<T>) => void | Promise<void>;

export interface Paging<T extends KubeObject> {
  readonly list: (options: ListOptions) => Promise<KubeList<T>>;
  readonly options: ListOptions;
  readonly onPage: OnPage<T>;
}

const defaultPageSize = 500;

/**
 * Lists one state of the resource in pages. If the state is compacted (410), restarts without
 * pages, as client-go.
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
    // Aborts a requested page after a callback error.
    stop.abort();
  }
}

async function followPages<T extends KubeObject>(paging: Paging<T>): Promise<void> {
  const options = { ...paging.options, limit: paging.options.limit ?? defaultPageSize };
  let asked: Promise<KubeList<T>> | undefined = paging.list(options);
  while (asked !== undefined) {
    const list: KubeList<T> = await asked;
    asked = nextPage(paging, { ...options, continue: list.metadata.continue ?? "" });
    // Reported when it is awaited.
    asked?.catch(() => {});
    await paging.onPage({ list, restarted: false });
  }
}

class PageExpired extends Error {}

/** The token has the position; the server rejects a resourceVersion beside it. */
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
