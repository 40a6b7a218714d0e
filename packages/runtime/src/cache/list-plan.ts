import { type ListOptions, RequestTimeoutError } from "@rookery/client";
import { isTimeout } from "@rookery/kube";

/**
 * How lists are asked for:
 * - cached: in one answer from the server's cache, or in pages where the server has none;
 * - streamed: as the beginning of a watch (WatchList), where the server can;
 * - paged: in pages of one state, which the server may have to fetch from etcd.
 */
export type ListMethod = "cached" | "streamed" | "paged";

export interface ListPlanOptions {
  /** "cached" by default: kube-apiserver spends half as much on it as on a stream (ADR 19). */
  readonly lists?: ListMethod;
  /** How many objects come in one page where a list comes in pages; 500 by default. */
  readonly pageSize?: number;
}

type Question = Pick<ListOptions, "limit" | "resourceVersion">;

/** As in client-go. */
const defaultPageSize = 500;

/** Decides how the next list is asked for, from what came of those before. */
export class ListPlan {
  readonly #pageSize: number;
  #method: ListMethod;
  /** Once something has come, no list may be older than it. */
  #anythingCame = false;
  #serverPages = false;
  /** The last list was not completed: smaller answers may be. */
  #brokeOff = false;

  constructor({ lists = "cached", pageSize = defaultPageSize }: ListPlanOptions) {
    this.#method = lists;
    this.#pageSize = pageSize;
  }

  /** Whether the next list is the beginning of a watch. */
  get streams(): boolean {
    return this.#method === "streamed" && !this.#brokeOff;
  }

  /** What else is asked for in a list that is none. */
  get question(): Question {
    const limit = this.#pageSize;
    if (this.#method === "paged" || this.#brokeOff) return { limit };
    // Whatever the server has in its cache, all at once: the limit is for a server without a cache.
    if (!this.#anythingCame) return { limit, resourceVersion: "0" };
    // The newest state, which servers since 1.31 take from their cache, too.
    return this.#serverPages ? { limit } : {};
  }

  /** Some of what was asked for is here. */
  noteObjects(): void {
    this.#anythingCame = true;
  }

  complete(question: Question, pages: number): void {
    if (question.resourceVersion === "0") this.#serverPages = pages > 1;
    this.#anythingCame = true;
    this.#brokeOff = false;
  }

  /** `begun` is whether some objects had come. */
  fail(error: unknown, begun: boolean): void {
    if (begun || error instanceof RequestTimeoutError || isTimeout(error)) this.#brokeOff = true;
  }

  /** The server does not stream lists. */
  refuseStream(): void {
    this.#method = "cached";
  }
}
