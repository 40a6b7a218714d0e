import type { KubeList, KubeObject, ListMeta } from "@rookery/kube";
import { UnexpectedAnswerError } from "../errors.ts";
import type { Question } from "./exchange.ts";
import type { BodyReader } from "./follow-body.ts";
import { ListSplitter } from "./list-splitter.ts";

export interface ListReaderOptions<T> {
  readonly question: Question;
  /** Throws an UnexpectedAnswerError for invalid JSON. */
  readonly parse: <P>(text: string) => P;
  /** Called with objects as soon as they arrive. */
  readonly onItems: (items: readonly T[]) => void;
}

/** Far above the 3 MiB of the largest objects. */
const maxItemBytes = 16 * 1024 * 1024;

/** Reads a streamed list with only a few objects in memory. */
export class ListReader<T extends KubeObject> implements BodyReader<ListMeta> {
  readonly #options: ListReaderOptions<T>;
  readonly #gone = new AbortController();
  readonly #splitter: ListSplitter;

  constructor(options: ListReaderOptions<T>) {
    this.#options = options;
    this.#splitter = new ListSplitter({
      onItems: (text) => this.#take(text),
      maxItemBytes,
      onTooLong: () => this.#refuse(`an item is longer than ${maxItemBytes} bytes`),
    });
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  write(chunk: Uint8Array): boolean {
    if (this.signal.aborted) return false;
    try {
      this.#splitter.feed(chunk);
    } catch (error) {
      this.fail(error);
    }
    return !this.signal.aborted;
  }

  async drained(): Promise<void> {
    this.signal.throwIfAborted();
  }

  fail(reason: unknown): void {
    this.#gone.abort(reason);
  }

  /** The metadata of the list. Rejects for an incomplete list. */
  async end(): Promise<ListMeta> {
    this.signal.throwIfAborted();
    const list = this.#options.parse<Partial<KubeList<T>> | null>(this.#splitter.end());
    return list?.metadata ?? this.#refuse("the answer is not a list");
  }

  #take(text: string): void {
    const items = this.#options.parse<T[]>(`[${text}]`);
    if (items.length > 0) this.#options.onItems(items);
  }

  #refuse(reason: string): never {
    throw new UnexpectedAnswerError(this.#options.question, reason);
  }
}
