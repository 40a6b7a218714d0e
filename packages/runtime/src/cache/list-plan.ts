import { type ListOptions, RequestTimeoutError } from "@rookery/client";
import { isTimeout } from "@rookery/kube";

/**
 * How lists are asked for, always for the newest state:
 * - whole: in one answer, which kube-apiserver has in its cache;
 * - streamed: as the beginning of a watch (WatchList), where the server can;
 * - paged: in pages of one state, which the server may have to fetch from etcd.
 */
export type ListMethod = "whole" | "streamed" | "paged";

export interface ListPlanOptions {
  /** "whole" by default: kube-apiserver spends half as much on it as on a stream (ADR 19). */
  readonly lists?: ListMethod;
  /** How many objects come in one page where a list comes in pages; 500 by default. */
  readonly pageSize?: number;
}

/** As in client-go. */
const defaultPageSize = 500;

/** Decides how the next list is asked for, from what came of those before. */
export class ListPlan {
  readonly #pageSize: number;
  #method: ListMethod;
  /** The last list was not completed: smaller answers may be. */
  #brokeOff = false;

  constructor({ lists = "whole", pageSize = defaultPageSize }: ListPlanOptions) {
    this.#method = lists;
    this.#pageSize = pageSize;
  }

  /** Whether the next list is the beginning of a watch. */
  get streams(): boolean {
    return this.#method === "streamed" && !this.#brokeOff;
  }

  /** What else is asked for in a list that is none. */
  get question(): Pick<ListOptions, "limit"> {
    return this.#method === "paged" || this.#brokeOff ? { limit: this.#pageSize } : {};
  }

  complete(): void {
    this.#brokeOff = false;
  }

  /** `begun` is whether some objects had come. */
  fail(error: unknown, begun: boolean): void {
    if (begun || error instanceof RequestTimeoutError || isTimeout(error)) this.#brokeOff = true;
  }

  /** The server does not stream lists. */
  refuseStream(): void {
    this.#method = "whole";
  }
}
