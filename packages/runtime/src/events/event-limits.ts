/** The number of sources, objects and series that are remembered, as in client-go. */
const mostKnown = 4096;

/** A map of limited size: the entry that was not used for the longest time makes room. */
export class LruMap<V> {
  readonly #entries = new Map<string, V>();

  /** Reads a value without counting as a use. */
  peek(key: string): V | undefined {
    return this.#entries.get(key);
  }

  /** The value, made if there is none. */
  get(key: string, make: () => V): V {
    const value = this.#entries.get(key) ?? make();
    this.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > mostKnown && oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  entries(): [string, V][] {
    return [...this.#entries];
  }
}

const mostTexts = 10;
const similarMs = 600_000;
const prefix = "(combined from similar events): ";

/** Combines events that differ in their text alone, from the tenth text within ten minutes on, as in client-go. */
export class SimilarEvents {
  readonly #known = new LruMap<{ readonly texts: Set<string>; lastAt: number }>();
  readonly #now: () => number;

  /** `now` is in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The key under which an event is counted, and the text to write. */
  combine(key: string, text: string): { readonly key: string; readonly text: string } {
    const now = this.#now();
    const known = this.#known.get(key, () => ({ texts: new Set(), lastAt: now }));
    if (now - known.lastAt > similarMs) known.texts.clear();
    known.lastAt = now;
    if (known.texts.size < mostTexts - 1) known.texts.add(text);
    return known.texts.has(text) ? { key: `${key} ${text}`, text } : { key, text: prefix + text };
  }
}

const burst = 25;
const refillMs = 300_000;

/** Limits the events of a source about an object: 25 at once, then one every five minutes, as in client-go. */
export class EventRateLimit {
  readonly #buckets = new LruMap<{ tokens: number; filledAt: number }>();
  readonly #now: () => number;

  /** `now` is in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether an event may be written; takes a token if it may. */
  admit(key: string): boolean {
    const now = this.#now();
    const bucket = this.#buckets.get(key, () => ({ tokens: burst, filledAt: now }));
    bucket.tokens = Math.min(burst, bucket.tokens + (now - bucket.filledAt) / refillMs);
    bucket.filledAt = now;
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}
