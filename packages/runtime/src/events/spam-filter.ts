import type { MonotonicClock } from "../clock/clock.ts";
import type { KubeEvent } from "./event.ts";
import { objectKey } from "./event-key.ts";
import { LruMap } from "./lru-map.ts";

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** As client-go has it: 25 at once, then one more every 5 minutes. */
const burst = 25;
const refillMs = 300_000;

/** Limits what one source writes about one object: it may be unhealthy for days. */
export class SpamFilter {
  readonly #buckets = new LruMap<Bucket>(4096);
  readonly #clock: MonotonicClock;

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  /** Whether the event may be written; asking takes one of the writes that are left. */
  admits(event: KubeEvent): boolean {
    const now = this.#clock.now();
    const key = `${objectKey(event)} ${event.type}`;
    const bucket = this.#buckets.get(key, () => ({ tokens: burst, filledAt: now }));
    bucket.tokens = Math.min(burst, bucket.tokens + (now - bucket.filledAt) / refillMs);
    bucket.filledAt = now;
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}
