import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type Condition,
  deepFreeze,
  isConflict,
  type KubeObject,
  type ObjectMeta,
} from "@rookery/kube";
import { FakeClock } from "@rookery/testing";
import { FakeServer } from "../../test/committer/fake-server.ts";
import { ConditionConflictError, MixedCommitError, ObjectReplacedError } from "../errors.ts";
import { type CommitOptions, createCommitter, withShownConditions } from "./committer.ts";

type Thing = KubeObject<Record<string, unknown>, Record<string, unknown>>;

function thing(metadata: ObjectMeta = {}, parts: Partial<Thing> = {}): Thing {
  return deepFreeze({
    apiVersion: "example.dev/v1",
    kind: "Thing",
    metadata: { namespace: "ns", name: "a", uid: "1", resourceVersion: "7", ...metadata },
    spec: { size: 1, list: [1, 2] },
    ...parts,
  });
}

function condition(type: string, status: Condition["status"], reason = "Because"): Condition {
  return { type, status, reason, message: "", lastTransitionTime: "2025-01-01T00:00:00Z" };
}

/** Commits on a server that has the original, unless something happens to it. */
function setUp(original: Thing) {
  const server = new FakeServer(original);
  const clock = new FakeClock();
  const commit = createCommitter({ ...server.dependencies, clock });
  return {
    server,
    clock,
    async commit(desired: KubeObject, options?: CommitOptions<KubeObject>): Promise<KubeObject> {
      const committed = commit(original, desired, options);
      committed.catch(() => {});
      await clock.advance(10_000);
      return committed;
    },
  };
}

describe("a commit", () => {
  it("of nothing writes nothing, and gives back the object", async () => {
    const original = thing({ labels: { a: "1" } });
    const { server, commit } = setUp(original);
    assert.equal(await commit(structuredClone(original)), original);
    assert.deepEqual(server.patches, []);
  });

  const same: Record<string, Thing> = {
    "empty labels": thing({ labels: {} }),
    "an empty list of finalizers": thing({ finalizers: [] }),
    "an empty status": thing({}, { status: {} }),
    "what is the server's": thing({ resourceVersion: "9", generation: 4, managedFields: [] }),
  };
  for (const [name, desired] of Object.entries(same)) {
    it(`does not write for ${name}`, async () => {
      const { server, commit } = setUp(thing());
      await commit(desired);
      assert.deepEqual(server.patches, []);
    });
  }

  it("of the spec and metadata sends what changed, with the uid, and no lock", async () => {
    const original = thing({ labels: { old: "1", stays: "2" } });
    const { server, commit } = setUp(original);
    const desired = thing(
      { labels: { stays: "2", new: "3" } },
      { spec: { size: 2, list: [1, 2] } },
    );
    const result = await commit(desired);
    assert.deepEqual(server.patches, [
      {
        to: "main",
        patch: { spec: { size: 2 }, metadata: { uid: "1", labels: { old: null, new: "3" } } },
      },
    ]);
    assert.equal(result, server.object);
  });

  it("of the status goes to the subresource", async () => {
    const { server, commit } = setUp(thing({}, { status: { phase: "Pending", ip: "x" } }));
    await commit(thing({}, { status: { phase: "Running" } }));
    assert.deepEqual(server.patches, [
      { to: "status", patch: { status: { phase: "Running", ip: null }, metadata: { uid: "1" } } },
    ]);
  });

  it("writes other fields of an object than spec and status", async () => {
    const server = new FakeServer(thing());
    const original = { ...thing(), data: { a: "1" } };
    const desired = { ...thing(), data: { a: "2" } };
    await createCommitter(server.dependencies)(original, desired);
    assert.deepEqual(server.patches[0]?.patch.data, { a: "2" });
  });

  it("of both spec and status is refused before anything is written", async () => {
    const { server, commit } = setUp(thing());
    const desired = thing({}, { spec: { size: 2 }, status: { phase: "Running" } });
    await assert.rejects(commit(desired), MixedCommitError);
    assert.deepEqual(server.patches, []);
  });

  const locked: Record<string, [Thing, CommitOptions<KubeObject>]> = {
    "finalizers, which others add to as well": [thing({ finalizers: ["x/a"] }), {}],
    "owners, which others add to as well": [
      thing({ ownerReferences: [{ apiVersion: "v1", kind: "K", name: "o", uid: "2" }] }),
      {},
    ],
    "conditions, which others add to as well": [
      thing({}, { status: { conditions: [condition("Ready", "True")] } }),
      {},
    ],
    "anything, where that is asked for": [
      thing({}, { spec: { size: 2, list: [1, 2] } }),
      { optimisticLock: true },
    ],
  };
  for (const [name, [desired, options]] of Object.entries(locked)) {
    it(`locks ${name}`, async () => {
      const { server, commit } = setUp(thing());
      await commit(desired, options);
      const metadata = server.patches[0]?.patch.metadata as ObjectMeta;
      assert.equal(metadata.resourceVersion, "7");
    });
  }
});

describe("a conflict", () => {
  const grown = (object: KubeObject) => ({ ...object, spec: { size: 5, list: [1, 2] } });
  const desired = thing({}, { spec: { size: 2, list: [1, 2] } });

  it("is thrown where nobody says how to solve it", async () => {
    const { server, commit } = setUp(thing());
    server.meanwhile.push(grown);
    await assert.rejects(commit(desired, { optimisticLock: true }), isConflict);
    assert.equal(server.patches.length, 1);
    assert.equal(server.reads, 0);
  });

  it("is solved on fresh data by the same decision", async () => {
    const { server, commit } = setUp(thing());
    server.meanwhile.push(grown);
    const mutate = (fresh: KubeObject) => {
      const { size, ...rest } = fresh.spec as { size: number };
      return { ...fresh, spec: { ...rest, size: size + 1 } };
    };
    const result = await commit(desired, { optimisticLock: true, mutate });
    assert.deepEqual(result.spec, { size: 6, list: [1, 2] });
    assert.equal(server.reads, 1);
  });

  it("on every second write is got over", async () => {
    const { server, clock } = setUp(thing());
    const commit = createCommitter({ ...server.dependencies, clock });
    for (let round = 0; round < 10; round++) {
      server.meanwhile.push(grown);
      const mutate = (fresh: KubeObject) => ({ ...fresh, spec: { size: round } });
      const committed = commit(server.object, mutate(server.object), {
        optimisticLock: true,
        mutate,
      });
      await clock.advance(1000);
      assert.deepEqual((await committed).spec, { size: round });
    }
  });

  it("is thrown where the fifth attempt fails", async () => {
    const { server, commit } = setUp(thing());
    for (let others = 0; others < 9; others++) {
      server.meanwhile.push((object) => ({ ...object, spec: { size: others + 10 } }));
    }
    const mutate = (fresh: KubeObject) => ({ ...fresh, spec: { size: 2 } });
    await assert.rejects(commit(desired, { optimisticLock: true, mutate }), isConflict);
    assert.equal(server.patches.length, 5);
  });

  for (const optimisticLock of [true, false]) {
    const how = optimisticLock ? "with" : "without";
    it(`${how} a lock, with an object of the same name made anew, is an error of its own`, async () => {
      const { server, commit } = setUp(thing());
      const mutate = () => assert.fail("this is another object");
      server.meanwhile.push((object) => ({
        ...object,
        metadata: { ...object.metadata, uid: "2" },
      }));
      await assert.rejects(commit(desired, { mutate, optimisticLock }), ObjectReplacedError);
    });
  }

  it("ends when the signal is aborted", async () => {
    const server = new FakeServer(thing());
    const clock = new FakeClock();
    server.meanwhile.push(grown);
    const abort = new AbortController();
    const options = { optimisticLock: true, mutate: grown, signal: abort.signal };
    const committed = createCommitter({ ...server.dependencies, clock })(thing(), desired, options);
    committed.catch(() => {});
    await clock.advance(0);
    abort.abort(new Error("stop"));
    await assert.rejects(committed, /stop/);
    assert.equal(clock.timers, 0);
  });
});

describe("conditions", () => {
  const ready = condition("Ready", "False");
  const others = condition("Available", "False");
  const original = thing({}, { status: { conditions: [ready, others], phase: "Pending" } });

  function withConditions(...conditions: Condition[]) {
    return (object: KubeObject) => ({
      ...object,
      status: { ...(object.status as object), conditions },
    });
  }

  async function commitAgainst(
    meanwhile: (object: KubeObject) => KubeObject,
    desired: Condition[],
    options?: CommitOptions<KubeObject>,
  ) {
    const { server, commit } = setUp(original);
    server.meanwhile.push(meanwhile);
    const result = await commit(
      thing({}, { status: { conditions: desired, phase: "Running" } }),
      options,
    );
    return { server, status: result.status as { conditions: Condition[]; phase: string } };
  }

  it("take one request where nobody else wrote", async () => {
    const { server, commit } = setUp(original);
    await commit(thing({}, { status: { conditions: [ready], phase: "Pending" } }));
    assert.equal(server.patches.length, 1);
    assert.equal(server.reads, 0);
  });

  it("of others are kept, and the rest of the status is written with them", async () => {
    const changed = condition("Available", "True", "Theirs");
    const added = condition("Synced", "True");
    const { server, status } = await commitAgainst(withConditions(ready, changed, added), [
      condition("Ready", "True"),
      others,
    ]);
    assert.deepEqual(status, {
      conditions: [condition("Ready", "True"), changed, added],
      phase: "Running",
    });
    assert.equal(server.patches.length, 2);
  });

  it("that others added in the same way are no conflict, and keep their time", async () => {
    const theirs = { ...condition("New", "True"), lastTransitionTime: "2024-01-01T00:00:00Z" };
    const { status } = await commitAgainst(withConditions(ready, others, theirs), [
      ready,
      others,
      condition("New", "True"),
    ]);
    assert.deepEqual(status.conditions, [ready, others, theirs]);
  });

  it("that are removed leave those of others", async () => {
    const added = condition("Synced", "True");
    const { status } = await commitAgainst(withConditions(ready, others, added), [others]);
    assert.deepEqual(status.conditions, [others, added]);
  });

  const conflicts: Record<string, [theirs: Condition[], ours: Condition[]]> = {
    "both changed it": [
      [condition("Ready", "Unknown"), others],
      [condition("Ready", "True"), others],
    ],
    "both added it": [
      [ready, others, condition("New", "False")],
      [ready, others, condition("New", "True")],
    ],
    "they removed what we changed": [[others], [condition("Ready", "True"), others]],
    "they changed what we removed": [[condition("Ready", "Unknown"), others], [others]],
  };
  for (const [name, [theirs, ours]] of Object.entries(conflicts)) {
    it(`are in conflict where ${name}`, async () => {
      const committed = commitAgainst(withConditions(...theirs), ours);
      await assert.rejects(committed, ConditionConflictError);
    });

    it(`are as we say where ${name} and we own it`, async () => {
      const { status } = await commitAgainst(withConditions(...theirs), ours, {
        ownedConditions: ["Ready", "New"],
      });
      const byType = (a: Condition, b: Condition) => a.type.localeCompare(b.type);
      assert.deepEqual(status.conditions.toSorted(byType), ours.toSorted(byType));
    });
  }

  it("are not merged where the lock was asked for", async () => {
    const committed = commitAgainst(
      withConditions(ready, others, condition("Synced", "True")),
      [condition("Ready", "True"), others],
      { optimisticLock: true },
    );
    await assert.rejects(committed, isConflict);
  });
});

function saying(message: string): KubeObject & { status: { conditions: Condition[] } } {
  const lastTransitionTime = "2026-01-01T00:00:00Z";
  const condition = { type: "Ready", status: "False", reason: "Failed", message } as const;
  return {
    apiVersion: "v1",
    kind: "Nest",
    metadata: { name: "a" },
    status: { conditions: [{ ...condition, lastTransitionTime }] },
  };
}

it("an object whose conditions may be shown stays the very same", () => {
  const object = saying("* Machine a:\n  * it has no node");
  assert.equal(withShownConditions(object), object);
  const bare = { apiVersion: "v1", kind: "Nest", metadata: { name: "a" } };
  assert.equal(withShownConditions(bare), bare);
});

it("what a server has said is cut, and told to no terminal, in a way that stays", () => {
  const shown = withShownConditions(saying(`\u001b[2J${"x".repeat(1_000_000)}`));
  const [{ message } = assert.fail()] = shown.status.conditions;
  assert.equal(message.length, 4096);
  assert.match(message, /^\\u001b\[2Jx+…$/);
  assert.equal(withShownConditions(shown), shown);
});
