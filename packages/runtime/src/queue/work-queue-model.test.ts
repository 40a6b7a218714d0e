import assert from "node:assert/strict";
import { it } from "node:test";
import { FakeClock } from "@rookery/testing";
import fc from "fast-check";
import { createWorkQueue, type WorkQueue } from "./work-queue.ts";

type Step =
  | { readonly do: "add"; readonly key: string; readonly priority: number }
  | {
      readonly do: "addAfter";
      readonly key: string;
      readonly delay: number;
      readonly priority: number;
    }
  | { readonly do: "advance"; readonly by: number }
  | { readonly do: "get" }
  | { readonly do: "done"; readonly which: number };

const key = fc.constantFrom("a", "b", "c", "d", "e");
const priority = fc.constantFrom(-100, 0, 0, 0, 10);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("add" as const), key, priority }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("addAfter" as const),
      key,
      delay: fc.integer({ min: 0, max: 20 }),
      priority,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("advance" as const),
      by: fc.integer({ min: 0, max: 12 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("get" as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("done" as const), which: fc.nat({ max: 9 }) }),
  },
);

interface Wanted {
  readonly at: number;
  readonly priority: number;
  /** When it took its place in the order. */
  readonly since: number;
}

/** The queue as simple as can be: what is wanted, what is worked on, and a sort. */
class Model {
  now = 0;
  readonly wanted = new Map<string, Wanted>();
  readonly active: string[] = [];
  #steps = 0;
  #passedOver = 0;

  want(key: string, at: number, priority: number): void {
    const before = this.wanted.get(key);
    const since = ++this.#steps;
    if (before === undefined) this.wanted.set(key, { at, priority, since });
    else {
      const moved = priority > before.priority || (before.at > this.now && at <= this.now);
      const earliest = before.at <= this.now ? before.at : Math.min(before.at, at);
      this.wanted.set(key, {
        at: earliest,
        priority: Math.max(priority, before.priority),
        since: moved || earliest < before.at ? since : before.since,
      });
    }
  }

  /** Time goes on: those whose time has come take their place in the order in which it came. */
  advance(by: number): void {
    const end = this.now + by;
    const due = [...this.wanted].filter(([, { at }]) => at > this.now && at <= end);
    for (const [key, wanted] of due.toSorted(([, a], [, b]) => a.at - b.at || a.since - b.since)) {
      this.wanted.set(key, { ...wanted, since: ++this.#steps });
    }
    this.now = end;
  }

  ready(): [string, Wanted][] {
    return [...this.wanted]
      .filter(([key, { at }]) => at <= this.now && !this.active.includes(key))
      .toSorted(([, a], [, b]) => b.priority - a.priority || a.since - b.since);
  }

  get(): string | undefined {
    const ready = this.ready();
    const [first] = ready;
    if (first === undefined) return undefined;
    const passesOver = ready.some(([, { priority }]) => priority !== first[1].priority);
    let [key] = first;
    if (passesOver && ++this.#passedOver === 10) {
      this.#passedOver = 0;
      key = ready.toSorted(([, a], [, b]) => a.since - b.since)[0]?.[0] ?? key;
    }
    this.wanted.delete(key);
    this.active.push(key);
    return key;
  }

  done(key: string): void {
    this.active.splice(this.active.indexOf(key), 1);
    const again = this.wanted.get(key);
    if (again && again.at <= this.now) this.wanted.set(key, { ...again, since: ++this.#steps });
  }
}

async function take(
  step: Step,
  model: Model,
  real: { queue: WorkQueue<string>; clock: FakeClock },
) {
  const { queue, clock } = real;
  if (step.do === "add") {
    model.want(step.key, model.now, step.priority);
    queue.add(step.key, step.priority);
  } else if (step.do === "addAfter") {
    model.want(step.key, model.now + step.delay, step.priority);
    queue.addAfter(step.key, step.delay, step.priority);
  } else if (step.do === "advance") {
    model.advance(step.by);
    await clock.advance(step.by);
  } else if (step.do === "get") {
    const expected = model.get();
    if (expected !== undefined) assert.equal(await queue.get(), expected);
  } else {
    const key = model.active[step.which % Math.max(1, model.active.length)];
    if (key === undefined) return;
    model.done(key);
    queue.done(key);
  }
  assert.equal(queue.length, model.ready().length);
}

it("whatever is done with it, a queue behaves as its model, and loses nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
      const clock = new FakeClock();
      const real = { clock, queue: createWorkQueue<string>({ keyOf: (item) => item, clock }) };
      const model = new Model();
      for (const step of steps) await take(step, model, real);
      for (const _ of [...model.active]) await take({ do: "done", which: 0 }, model, real);
      await take({ do: "advance", by: 20 }, model, real);
      for (const _ of [...model.wanted]) await take({ do: "get" }, model, real);
      assert.equal(model.wanted.size, 0);
      assert.equal(real.queue.length, 0);
    }),
    { numRuns: 300 },
  );
});
