import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type Conditioned,
  forbiddenError,
  type KubeObject,
  notFoundError,
  withConditions,
} from "@rookery/kube";
import { done, requeueAfter } from "../controller/result.ts";
import { hasFinalizer } from "../finalizers/finalizers.ts";
import { createLifecycle } from "./lifecycle.ts";
import type { LifecycleSteps } from "./steps.ts";

const finalizer = "example.dev/thing";
const clock = () => new Date(0);
const request = { namespace: "ns", name: "a" };

type Thing = KubeObject & Conditioned & { readonly said?: string };
type Steps = LifecycleSteps<Thing, Scope, string>;

interface Scope {
  readonly get: () => Promise<Thing | undefined>;
  readonly commit: (original: Thing, desired: Thing) => Promise<Thing>;
}

const thing = (metadata: object = {}): Thing => ({
  apiVersion: "example.dev/v1",
  kind: "Thing",
  metadata: { ...request, ...metadata },
});
const held = { finalizers: [finalizer] };
const deleted = { deletionTimestamp: "2026-01-01T00:00:00Z" };

/** Every write, as what it adds, and every step that was taken. */
function sceneOf(object: Thing | undefined) {
  const deeds: string[] = [];
  const deed = (original: Thing, desired: Thing) => {
    if (hasFinalizer(original, finalizer) && !hasFinalizer(desired, finalizer)) return "let go";
    if (!hasFinalizer(original, finalizer) && hasFinalizer(desired, finalizer)) return "hold";
    return `write ${desired.said} over ${original.said ?? "nothing"}`;
  };
  const scope: Scope = {
    get: async () => object,
    commit: async (original, desired) => {
      deeds.push(deed(original, desired));
      return desired;
    },
  };
  return { deeds, scope };
}

async function run(object: Thing | undefined, changes: Partial<Steps> = {}) {
  const { deeds, scope } = sceneOf(object);
  const lifecycle = createLifecycle<Thing, Scope, string>({
    finalizer,
    forget: () => void deeds.push("forget"),
    owner: async () => "owner",
    whenUnowned: (one) => ({ object: { ...one, said: "unowned" } }),
    whenPaused: () => undefined,
    provision: async (one) => ({ object: { ...one, said: "ready" }, result: requeueAfter(9) }),
    remove: async () => "removed",
    removed: () => void deeds.push("removed"),
    ...changes,
  });
  const result = await lifecycle.reconcile(request, scope);
  return { deeds, result };
}

const pausing = { whenPaused: (one: Thing) => ({ ...one, said: "paused" }) };
const unowned = { owner: async () => undefined };

const table: Record<string, [Thing | undefined, Partial<Steps>, readonly string[]]> = {
  "an object that is gone is forgotten": [undefined, {}, ["forget"]],
  "an object is held before it is provisioned": [thing(), {}, ["hold", "write ready over nothing"]],
  "an object that is held is provisioned": [thing(held), {}, ["write ready over nothing"]],
  "a phase that changes nothing writes nothing": [
    thing(held),
    { provision: async (object) => ({ object }) },
    [],
  ],
  "a paused object is left alone": [thing(held), pausing, ["write paused over nothing"]],
  "a paused object is left alone also when it is deleted": [
    thing({ ...held, ...deleted }),
    pausing,
    ["write paused over nothing"],
  ],
  "an object without an owner is not held": [thing(), unowned, ["write unowned over nothing"]],
  "a deleted object goes also without an owner": [
    thing({ ...held, ...deleted }),
    unowned,
    ["let go", "removed"],
  ],
  "a deletion that is not through says so, and keeps the finalizer": [
    thing({ ...held, ...deleted }),
    { remove: async (object) => ({ object: { ...object, said: "deleting" } }) },
    ["write deleting over nothing"],
  ],
  "a deleted object without the finalizer is left alone": [thing(deleted), {}, []],
  "a deleted object without the finalizer is removed where that is asked for": [
    thing({ ...deleted, finalizers: ["other"] }),
    { removesUnheld: true, remove: async (object) => ({ object: { ...object, said: "used" } }) },
    ["write used over nothing"],
  ],
  "provisioning waits for the event of the finalizer where that is asked for": [
    thing(),
    { awaitsFinalizer: true },
    ["hold"],
  ],
  "a paused object is held first where that is asked for": [
    thing(),
    { ...pausing, finalizerFirst: true },
    ["hold", "write paused over nothing"],
  ],
  "a deleted object without an owner is kept where the finalizer comes first": [
    thing({ ...held, ...deleted }),
    { ...unowned, finalizerFirst: true },
    ["write unowned over nothing"],
  ],
  "what a phase writes in between is what its outcome is compared with": [
    thing(held),
    {
      provision: async (object, { commit }) => {
        const written = await commit(object, { ...object, said: "step" });
        return { object: { ...written, said: "ready" } };
      },
    },
    ["write step over nothing", "write ready over step"],
  ],
  "a phase that wrote everything itself writes nothing more": [
    thing(held),
    {
      provision: async (object, { commit }) => {
        await commit(object, { ...object, said: "step" });
        return { object };
      },
    },
    ["write step over nothing"],
  ],
};

describe("in a lifecycle", () => {
  for (const [sentence, [object, steps, expected]] of Object.entries(table)) {
    it(sentence, async () => assert.deepEqual((await run(object, steps)).deeds, expected));
  }

  describe("an object that the server no longer has, but the cache", () => {
    const error = notFoundError({ group: "example.dev", resource: "things" }, "a");
    const gone = async () => {
      throw error;
    };
    const reconcile = (object: Thing, provision: Steps["provision"]) =>
      createLifecycle<Thing, Scope, string>({ finalizer, provision }).reconcile(request, {
        get: async () => object,
        commit: gone,
      });
    const ready: Steps["provision"] = async (one) => ({ object: { ...one, said: "ready" } });

    it("ends the reconcile at its first write, without an error", async () => {
      assert.equal(await reconcile(thing({ ...held, ...deleted }), ready), done);
      assert.equal(await reconcile(thing(held), ready), done);
      assert.equal(await reconcile(thing(), ready), done);
    });

    it("does not hide that a phase misses another object", async () => {
      await assert.rejects(reconcile(thing(held), gone), /not found/);
    });
  });

  it("a phase says when to look again, and the lifecycle says done of all else", async () => {
    assert.deepEqual((await run(thing(held))).result, requeueAfter(9));
    assert.deepEqual((await run(thing(held), pausing)).result, done);
  });

  it("labels are written together with the finalizer", async () => {
    const commits: Thing[] = [];
    const { scope } = sceneOf(thing());
    const lifecycle = createLifecycle<Thing, Scope, string>({
      finalizer,
      owner: async () => "c",
      claim: (one, _, owner) => ({ ...one, metadata: { ...one.metadata, labels: { of: owner } } }),
      provision: async (object) => ({ object }),
    });
    const commit: Scope["commit"] = async (_, desired) => {
      commits.push(desired);
      return desired;
    };
    await lifecycle.reconcile(request, { ...scope, commit });
    const metadata = commits.map(({ metadata: { labels, finalizers } }) => ({
      labels,
      finalizers,
    }));
    assert.deepEqual(metadata, [{ labels: { of: "c" }, finalizers: [finalizer] }]);
  });
});

describe("an error of a lifecycle", () => {
  const known = new Error("known");
  const failed = (error: unknown) => ({
    request,
    error,
    attempt: 9,
    signal: new AbortController().signal,
  });
  const reasonOf = async (error: unknown) => {
    let reason: string | undefined;
    const lifecycle = createLifecycle<Thing, Scope>({
      provision: async (object) => ({ object }),
      errors: {
        findingOf: (one) => {
          if (one === "told") return "reported";
          return one === known ? { status: "False", reason: "Known", message: "" } : undefined;
        },
        withFinding: (object, finding) =>
          withConditions(object, [{ type: "Ready", ...finding }], clock),
      },
    });
    await lifecycle.reportError?.(failed(error), {
      ...sceneOf(thing()).scope,
      commit: async (_, desired) => {
        reason = desired.status?.conditions?.[0]?.reason;
        return desired;
      },
    });
    return reason;
  };

  it("becomes a condition by its type", async () => {
    assert.equal(await reasonOf(known), "Known");
    assert.equal(
      await reasonOf(forbiddenError({ group: "", resource: "x" }, "y", "no")),
      "Forbidden",
    );
    assert.equal(await reasonOf(new TypeError("x")), "InternalError");
  });

  it("that conditions show already writes nothing", async () => {
    assert.equal(await reasonOf("told"), undefined);
  });
});
