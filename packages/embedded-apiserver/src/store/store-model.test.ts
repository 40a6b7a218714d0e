import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { StoreEntry, StoreEvent, StoreKey } from "@rookery/kube";
import { createTemporaryFolder } from "@rookery/testing";
import fc from "fast-check";
import { configMap, recordEvents } from "../../test/store/store.ts";
import { type ModelWrite, StoreModel } from "../../test/store/store-model.ts";
import { openStore } from "./open-store.ts";
import type { Store } from "./store.ts";

const place: fc.Arbitrary<StoreKey> = fc.record({
  resource: fc.constantFrom("configmaps", "secrets"),
  namespace: fc.constantFrom("a", "a-b", "b"),
  name: fc.constantFrom("x", "x-1", "x.1", "y"),
});
const ago = fc.nat({ max: 30 });
const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("write" as const),
      place,
      data: fc.option(fc.string(), { nil: undefined, freq: 3 }),
      isStale: fc.nat({ max: 5 }).map((n) => n === 0),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("settle" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("watch" as const),
      resource: fc.constantFrom("configmaps", "*"),
      ago,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("compact" as const), ago }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reopen" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe("a store beside a model of all writes", () => {
  it("is the same in memory", async () => {
    const steps = fc.array(step, { maxLength: 60 });
    await fc.assert(fc.asyncProperty(steps, (taken) => walk(taken, "")));
  });

  it("is the same in a folder, also when it is opened again and again", async () => {
    const steps = fc.array(step, { minLength: 20, maxLength: 80 });
    const property = fc.asyncProperty(steps, async (taken) => {
      await using folder = await createTemporaryFolder("store");
      await walk(taken, folder.path);
    });
    await fc.assert(property, { numRuns: 15 });
  });
});

async function walk(steps: readonly Step[], folder: string): Promise<void> {
  const run = new Run(await openStore({ folder }), folder);
  try {
    for (const taken of steps) await run.take(taken);
    await run.settle();
    run.check();
  } finally {
    await run.store[Symbol.asyncDispose]();
  }
}

/** A store and its model, with who watches. */
class Run {
  store: Store;
  readonly #folder: string;
  readonly #model = new StoreModel();
  #writes: Promise<void>[] = [];
  #watches: { resource: string; from: number; events: StoreEvent[] }[] = [];

  constructor(store: Store, folder: string) {
    this.store = store;
    this.#folder = folder;
  }

  async take(taken: Step): Promise<void> {
    if (taken.do === "write") {
      this.#writes.push(this.#write(taken));
      return;
    }
    await this.settle();
    if (taken.do === "watch") this.#watch(taken.resource, this.#revisionAgo(taken.ago));
    if (taken.do === "compact") await this.#compact(this.#revisionAgo(taken.ago));
    if (taken.do === "reopen") await this.#reopen();
  }

  async settle(): Promise<void> {
    await Promise.all(this.#writes);
    this.#writes = [];
  }

  /** At every revision that is kept, and for every watcher. */
  check(): void {
    assert.equal(this.store.revision, this.#model.revision);
    for (let revision = this.#model.compacted; revision <= this.store.revision; revision++) {
      this.#checkList("configmaps", { revision });
      this.#checkList("secrets", { revision, namespace: "a" });
    }
    for (const { resource, from, events } of this.#watches) {
      assert.deepEqual(events.map(told), this.#model.after(from, resource));
    }
  }

  async #write({ place, data, isStale }: Step & { do: "write" }): Promise<void> {
    const current = this.#model.currentRevision(place);
    const isRefused = isStale || (data === undefined && current === 0);
    const expected = isStale ? current + 1 : current;
    const object = data === undefined ? undefined : configMap("", { ...place, data }).object;
    const write = this.store.write({ ...place, expected, object });
    if (isRefused) return assert.rejects(write, { code: "Stale" });
    const revision = this.#model.write(place, data);
    assert.equal((await write).revision, revision);
  }

  #watch(resource: string, from: number): void {
    const watch = () => recordEvents(this.store, resource, from);
    if (from < this.#model.compacted) assert.throws(watch, { code: "Compacted" });
    else this.#watches.push({ resource, from, events: watch() });
  }

  async #compact(revision: number): Promise<void> {
    await this.store.compact(revision);
    this.#model.compacted = Math.max(revision, this.#model.compacted);
    this.check();
  }

  async #reopen(): Promise<void> {
    if (this.#folder === "") return;
    this.check();
    await this.store[Symbol.asyncDispose]();
    this.store = await openStore({ folder: this.#folder });
    this.check();
    this.#watches = [];
  }

  #checkList(resource: string, options: { revision: number; namespace?: string }): void {
    const expected = this.#model.list(resource, options.revision, options.namespace);
    assert.deepEqual(this.store.list(resource, options).entries.map(written), expected);
  }

  #revisionAgo(ago: number): number {
    return Math.max(this.#model.revision - ago, 1);
  }
}

function written({ resource, namespace, name, revision, object, bytes }: StoreEntry): ModelWrite {
  assert.deepEqual(JSON.parse(Buffer.from(bytes).toString()), object);
  assert.equal(object.metadata?.resourceVersion, String(revision));
  const { data } = object as { data?: { value?: string } };
  return { resource, namespace, name, revision, data: data?.value };
}

function told({ revision, entry, deleted }: StoreEvent): ModelWrite {
  if (entry) return written(entry);
  assert.equal(deleted?.revision, revision);
  return { ...written(deleted), data: undefined };
}
