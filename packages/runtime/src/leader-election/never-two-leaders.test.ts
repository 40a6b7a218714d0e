import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@rookery/testing";
import fc from "fast-check";
import { InMemoryLeases, type Journey } from "../../test/leader-election/in-memory-leases.ts";
import { sleep } from "../clock/sleep.ts";
import { LeaderElector } from "./leader-elector.ts";

/** How all requests of one candidate fare for a while, in milliseconds. */
interface Weather extends Journey {
  readonly lasts: number;
}

/** What one candidate goes through, over and over. */
interface Life {
  readonly weather: readonly Weather[];
  /** How long it wants to lead before it stops by itself, in milliseconds. */
  readonly terms: readonly number[];
  /** How far its wall clock is off, in milliseconds. */
  readonly skew: number;
  readonly random: number;
}

/** Hardly any room between the end of one term and the beginning of the next. */
const tight = { leaseDuration: 3_000, renewDeadline: 2_900, retryPeriod: 200 };

const delay = fc.oneof(fc.constant(1), fc.integer({ min: 0, max: 1_500 }));

const weather: fc.Arbitrary<Weather> = fc.record({
  lasts: fc.integer({ min: 300, max: 5_000 }),
  there: delay,
  back: delay,
  fate: fc.constantFrom("answered", "answered", "refused", "answer lost"),
});

const life: fc.Arbitrary<Life> = fc.record({
  weather: fc.array(weather, { minLength: 1, maxLength: 10 }),
  terms: fc.array(fc.integer({ min: 100, max: 20_000 }), { minLength: 1, maxLength: 5 }),
  skew: fc.integer({ min: -3_600_000, max: 3_600_000 }),
  random: fc.double({ min: 0, max: 0.999, noNaN: true }),
});

class World {
  readonly clock = new FakeClock();
  readonly leases = new InMemoryLeases(this.clock);
  readonly stop = new AbortController();
  readonly leading = new Set<string>();
  terms = 0;

  async live(identity: string, { weather, terms, skew, random }: Life): Promise<void> {
    const elector = new LeaderElector({
      leases: this.leases.client(() => weatherAt(weather, this.clock.now())),
      lease: { namespace: "system", name: "lease" },
      identity,
      ...tight,
      clock: this.clock,
      wallClock: () => new Date(1_900_000_000_000 + this.clock.now() + skew),
      random: () => random,
    });
    const nextTerm = cycle(terms);
    while (!this.stop.signal.aborted) await this.#lead(elector, nextTerm());
  }

  async #lead(elector: LeaderElector, term: number): Promise<void> {
    const leadership = await elector.acquire(this.stop.signal);
    this.leading.add(elector.identity);
    this.terms += 1;
    assert.deepEqual([...this.leading], [elector.identity], "two lead at the same time");
    leadership.lost.addEventListener("abort", () => this.leading.delete(elector.identity));
    const end = AbortSignal.any([leadership.lost, this.stop.signal]);
    if (!end.aborted) await sleep(term, this.clock, end).catch(() => {});
    this.leading.delete(elector.identity);
    await leadership.release();
  }
}

function weatherAt(weather: readonly Weather[], now: number): Weather {
  const period = weather.reduce((sum, { lasts }) => sum + lasts, 0);
  let left = now % period;
  const found = weather.find(({ lasts }) => {
    left -= lasts;
    return left < 0;
  });
  return found ?? (weather[0] as Weather);
}

function cycle<T>(values: readonly T[]): () => T {
  let next = 0;
  return () => values[next++ % values.length] as T;
}

describe("a leader election", () => {
  it("never has two leaders, whatever happens to requests and wall clocks", async () => {
    let terms = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 2, maxLength: 3 }), async (lives) => {
        const world = new World();
        const living = lives.map((one, index) => world.live(`candidate-${index}`, one));
        const outcome = Promise.allSettled(living);
        await world.clock.advance(30_000);
        world.stop.abort(new Error("over"));
        await world.clock.advance(5_000);
        for (const end of await outcome) {
          assert.match(String(end.status === "rejected" ? end.reason : "Error: over"), /over/);
        }
        terms += world.terms;
      }),
      { numRuns: 40, endOnFailure: true },
    );
    assert.ok(terms > 40, `only ${terms} terms were led`);
  });
});
