import { type ListOptions, RequestTimeoutError } from "@rookery/client";
import { isTimeout } from "@rookery/kube";

/**
 * How lists are requested, always for the newest state:
 * - whole: in one response, from the cache of kube-apiserver;
 * - streamed: as the start of a watch (WatchList), if the server supports that;
 * - paged: in pages of one state, which the server may have to read from etcd.
 */
export type ListMethod = "whole" | "streamed" | "paged";

export interface ListPlanOptions {
  /** "whole" by default: a stream costs kube-apiserver twice as much (ADR 19). */
  readonly lists?: ListMethod;
  /** The number of objects in a page; 500 by default. */
  readonly pageSize?: number;
}

/** As in client-go. */
const defaultPageSize = 500;

/** Decides how the next list is requested, by the results of the former ones. */
export class ListPlan {
  readonly #pageSize: number;
  #method: ListMethod;
  /** Whether the last list was not completed: smaller responses may succeed. */
  #brokeOff = false;

  constructor({ lists = "whole", pageSize = defaultPageSize }: ListPlanOptions) {
    this.#method = lists;
    this.#pageSize = pageSize;
  }

  /** Whether the next list is the start of a watch. */
  get streams(): boolean {
    return this.#method === "streamed" && !this.#brokeOff;
  }

  /** The options of a list that is not streamed. */
  get options(): Pick<ListOptions, "limit"> {
    return this.#method === "paged" || this.#brokeOff ? { limit: this.#pageSize } : {};
  }

  complete(): void {
    this.#brokeOff = false;
  }

  /** `isStarted` is whether some objects were received. */
  fail(error: unknown, isStarted: boolean): void {
    const isSlow = error instanceof RequestTimeoutError || isTimeout(error);
    if (isStarted || isSlow) this.#brokeOff = true;
  }

  /** The server does not stream lists. */
  refuseStream(): void {
    this.#method = "whole";
  }
}
