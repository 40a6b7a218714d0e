import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Client, ResourceClient } from "@rookery/client";
import type { Interceptor } from "@rookery/http";
import { type Condition, isConflict, setCondition } from "@rookery/kube";
import {
  createCache,
  createController,
  createInformerSource,
  createManager,
  createMetrics,
  createResourceCommitter,
  done,
  enqueueRequestForObject,
  enqueueRequestsFromMapFunction,
  type Manager,
  type Reconcile,
  withFinalizer,
} from "@rookery/runtime";
import { type Kubernetes, startKubernetes, type TestNamespace, waitFor } from "@rookery/testing";
import { adminClient, inParallel, type Nest, nest, nests, nestsCrd } from "./nests.ts";

const names = Array.from({ length: 8 }, (_, index) => `n${index}`);

describe("a controller on a real API server", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let resource: ResourceClient<Nest>;
  let namespace: TestNamespace;
  before(async () => {
    kubernetes = await startKubernetes({ private: true, controllerManager: false });
    await kubernetes.applyCrd(nestsCrd);
    client = await adminClient(kubernetes);
    resource = client.resource(nests);
  });
  after(async () => {
    await client?.destroy();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  const keyOf = (name: string) => ({ namespace: namespace.name, name });
  const lay = (name: string, eggs: number) =>
    resource.patch(keyOf(name), { type: "merge", patch: { spec: { eggs } } });
  const scope = () => ({ type: "namespaces", namespaces: [namespace.name] }) as const;
  const all = async () => (await resource.listAll({ namespace: namespace.name })).items;
  const createAll = () =>
    inParallel(names, (name) => resource.create(nest(keyOf(name), 1)).then(() => undefined));

  test("loses no update where every second write meets a conflict", async () => {
    namespace = await kubernetes.createNamespace("conflicts");
    const rival = new Rival(resource);
    let conflicts = 0;
    await using own = await adminClient(kubernetes, {
      interceptors: [rival.interceptor],
      trace: ({ status }) => void (status === 409 && conflicts++),
    });
    const commit = createResourceCommitter(own.resource<Nest>(nests));
    const cache = createCache({ client: own, scope: scope() });
    const reconcile: Reconcile = async (request, signal) => {
      const read = await cache.get<Nest>(nests, request, signal);
      if (!read) return done;
      const mutate = (object: Nest) => withFinalizer(object, "rookery.dev/own");
      const object = await commit(read, mutate(read), { mutate, signal });
      const eggs = object.spec?.eggs ?? 0;
      if (object.status?.eggs === eggs) return done;
      const condition = conditionOf("Counted", `${eggs} eggs`);
      const conditions = setCondition(object.status?.conditions ?? [], condition, now);
      const status = { ...object.status, eggs, conditions };
      await commit(object, { ...object, status }, { ownedConditions: ["Counted"], signal });
      return done;
    };
    await createAll();
    await using _ = run((manager) => {
      manager.add(cache);
      const informer = cache.informerFor<Nest>(nests);
      const sources = [createInformerSource({ informer, handler: enqueueRequestForObject() })];
      manager.add(createController({ name: "nest", sources, reconcile }));
    });
    for (const eggs of [2, 3, 4]) await inParallel(names, (name) => lay(name, eggs));
    await waitFor(async () => (await all()).every(({ status }) => status?.eggs === 4), {
      what: "all nests to be counted",
    });
    assert.ok(conflicts >= names.length, `${conflicts} conflicts`);
    assert.ok(rival.writes < 30 * names.length, `${rival.writes} writes`);
    const assertWhole = ({ metadata, status }: Nest) => {
      const { annotations, conditions, finalizers } = rival.workOn(metadata.name ?? "");
      assert.deepEqual(Object.keys(metadata.annotations ?? {}).toSorted(), annotations);
      assert.deepEqual(metadata.finalizers?.toSorted(), [...finalizers, "rookery.dev/own"]);
      const types = status?.conditions?.map(({ type }) => type).toSorted();
      assert.deepEqual(types, ["Counted", ...conditions]);
      const own = status?.conditions?.find(({ type }) => type === "Counted");
      assert.equal(own?.message, "4 eggs");
    };
    // A reconcile of what the cache was behind with may go on, and the rival with it.
    await waitFor(
      async () => {
        for (const nest of await all()) assertWhole(nest);
        return true;
      },
      { what: "all that was written to be there" },
    );
  });

  test("goes on where handlers, predicates, map functions and reconciles throw, and counts", async () => {
    namespace = await kubernetes.createNamespace("clumsy");
    const cache = createCache({ client, scope: scope() });
    const metrics = createMetrics({ processMetrics: false });
    const mapped = new Map<string, number>();
    const reconciled = new Map<string, number[]>();
    const steady = new Set<string>();
    const informer = cache.informerFor<Nest>(nests);
    informer.addEventHandler(() => {
      throw new Error("a handler that always throws");
    });
    const map = ({ metadata: { name = "" } }: Nest) => {
      const times = (mapped.get(name) ?? 0) + 1;
      mapped.set(name, times);
      if (times <= 2) throw new Error("a map function that throws twice");
      return [keyOf(name)];
    };
    const predicate = () => {
      throw new Error("a predicate that always throws");
    };
    const clumsy: Reconcile = ({ name }) => {
      const times = [...(reconciled.get(name) ?? []), performance.now()];
      reconciled.set(name, times);
      if (times.length <= 2) throw new Error("a reconcile that throws twice");
      if (times.length === 3) throw new TypeError("and then by mistake");
      return done;
    };
    await using _ = run((manager) => {
      manager.add(cache);
      const handler = enqueueRequestsFromMapFunction<Nest>(map);
      const sources = [createInformerSource({ informer, handler, predicates: [predicate] })];
      const measured = metrics.controller("clumsy");
      manager.add(
        createController({ name: "clumsy", sources, metrics: measured, reconcile: clumsy }),
      );
      manager.add(
        createController({
          name: "steady",
          sources: [createInformerSource({ informer, handler: enqueueRequestForObject() })],
          reconcile: ({ name }) => {
            steady.add(name);
            return done;
          },
        }),
      );
    });
    await createAll();
    await waitFor(() => names.every((name) => (reconciled.get(name)?.length ?? 0) >= 4), {
      what: "every nest to be reconciled four times",
    });
    assert.deepEqual([...steady].toSorted(), names);
    for (const [first = 0, second = 0, third = 0, fourth = 0, ...rest] of reconciled.values()) {
      assert.deepEqual(rest, [], "nothing is reconciled without need");
      // 5, 10 and 20 ms, where nothing else holds them up.
      assert.ok(second - first >= 4 && third - second >= 9 && fourth - third >= 19);
    }
    const count = names.length;
    await waitFor(
      async () => {
        const text = await metrics.registry.metrics();
        return [
          `controller_runtime_reconcile_errors_total{controller="clumsy"} ${3 * count}`,
          `controller_runtime_reconcile_panics_total{controller="clumsy"} ${count}`,
          `controller_runtime_reconcile_total{controller="clumsy",result="success"} ${count}`,
          `workqueue_retries_total{name="clumsy",controller="clumsy"} ${3 * count}`,
        ].every((line) => text.includes(`${line}\n`));
      },
      { what: "all of it to be counted" },
    );
  });
});

/** Runs a manager until it is disposed of. */
function run(setUp: (manager: Manager) => void): AsyncDisposable {
  const manager = createManager();
  setUp(manager);
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

const now = () => new Date();

function conditionOf(type: string, message: string): Omit<Condition, "lastTransitionTime"> {
  return { type, status: "True", reason: type, message };
}

/** Writes to a nest right before every second write to it, and knows what it wrote. */
class Rival {
  writes = 0;
  readonly #resource: ResourceClient<Nest>;
  readonly #turns = new Map<string, number>();

  constructor(resource: ResourceClient<Nest>) {
    this.#resource = resource;
  }

  readonly interceptor: Interceptor = (next) => async (request) => {
    const [, namespace, name] = /\/namespaces\/([^/]+)\/nests\/([^/]+)/.exec(request.path) ?? [];
    if (request.method !== "PATCH" || !namespace || !name) return next(request);
    const turn = this.writes++;
    if (turn % 2 === 1) await this.#interfere({ namespace, name });
    return next(request);
  };

  /** What it wrote to a nest, each in order. */
  workOn(name: string) {
    const turns = Array.from({ length: this.#turns.get(name) ?? 0 }, (_, turn) => turn);
    const named = (what: string) => turns.map((turn) => `${what}${turn}`).toSorted();
    return {
      annotations: named("rival"),
      conditions: named("Rival"),
      finalizers: named("rival.dev/"),
    };
  }

  async #interfere(key: Key): Promise<void> {
    const turn = this.#turns.get(key.name) ?? 0;
    this.#turns.set(key.name, turn + 1);
    await this.#untilWritten(key, (read) => {
      const { annotations = {}, finalizers = [] } = read.metadata;
      const metadata = {
        ...read.metadata,
        annotations: { ...annotations, [`rival${turn}`]: "" },
        finalizers: [...finalizers, `rival.dev/${turn}`],
      };
      return this.#resource.update({ ...read, metadata });
    });
    await this.#untilWritten(key, (read) => {
      const condition = conditionOf(`Rival${turn}`, "");
      const conditions = setCondition(read.status?.conditions ?? [], condition, now);
      return this.#resource.status.update({ ...read, status: { ...read.status, conditions } });
    });
  }

  /** Others write too: what is refused is done again on what is there then. */
  async #untilWritten(key: Key, write: (read: Nest) => Promise<Nest>): Promise<void> {
    for (;;) {
      try {
        await write(await this.#resource.get(key));
        return;
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
  }
}

interface Key {
  readonly namespace: string;
  readonly name: string;
}
