import {
  type Body,
  type BodyWriter,
  type HttpRequest,
  type Interceptor,
  type Sink,
  writeBody,
} from "@rookery/http";

/**
 * Stands between a client and its server: notes what is asked, counts which words come back, and
 * breaks the connection when told to.
 */
export class WireTap {
  readonly requests: HttpRequest[] = [];
  readonly #words: ReadonlyMap<string, Buffer>;
  readonly #counts = new Map<string, number>();
  readonly #open = new Set<AbortController>();
  #broken: Error | undefined;

  constructor(words: readonly string[] = []) {
    this.#words = new Map(words.map((word) => [word, Buffer.from(word)]));
  }

  readonly interceptor: Interceptor = (next) => async (request) => {
    this.requests.push(request);
    if (this.#broken) throw this.#broken;
    const response = await next(request);
    return { ...response, body: this.#tapped(response.body) };
  };

  /** How many times a word came, in all bodies. */
  count(word: string): number {
    return this.#counts.get(word) ?? 0;
  }

  get openBodies(): number {
    return this.#open.size;
  }

  /** No request gets through and no body goes on until it is mended. */
  cut(): void {
    this.#broken = new Error("the wire is cut");
    this.breakBodies(this.#broken);
  }

  /** What is on its way breaks off; whatever is asked for next gets through. */
  breakBodies(reason: Error = new Error("the wire was cut")): void {
    for (const body of this.#open) body.abort(reason);
  }

  mend(): void {
    this.#broken = undefined;
  }

  #tapped(body: Body): Body {
    return (sink) => this.#follow((tapped) => writeBody(body, tapped), sink);
  }

  async #follow(body: BodyWriter, sink: Sink): Promise<void> {
    const cut = new AbortController();
    const gone = AbortSignal.any([sink.signal, cut.signal]);
    this.#open.add(cut);
    let rest: Buffer = Buffer.alloc(0);
    const tapped: Sink = {
      signal: gone,
      drained: () => (gone.aborted ? Promise.reject(gone.reason) : sink.drained()),
      write: (chunk) => {
        if (gone.aborted) return false;
        rest = this.#look(Buffer.concat([rest, chunk]));
        return sink.write(chunk);
      },
    };
    const broken = new Promise<never>((_, reject) => {
      cut.signal.addEventListener("abort", () => reject(cut.signal.reason), { once: true });
    });
    try {
      await Promise.race([body(tapped), broken]);
    } finally {
      this.#open.delete(cut);
      this.#count(rest, rest.length);
    }
  }

  /** Counts words and returns the end, in which one may have begun. */
  #look(bytes: Buffer): Buffer {
    const longest = Math.max(1, ...Array.from(this.#words.values(), (word) => word.length));
    const end = Math.max(0, bytes.length - longest + 1);
    this.#count(bytes, end);
    return bytes.subarray(end);
  }

  /** Counts the words that begin before `end`. */
  #count(bytes: Buffer, end: number): void {
    for (const [word, needle] of this.#words) {
      for (
        let at = bytes.indexOf(needle);
        at >= 0 && at < end;
        at = bytes.indexOf(needle, at + 1)
      ) {
        this.#counts.set(word, this.count(word) + 1);
      }
    }
  }
}
