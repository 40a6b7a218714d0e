import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@rookery/testing";
import type { TokenAuthenticator } from "./authenticator.ts";
import { Checklist } from "./checklist.ts";
import { type AuthenticatorObject, statusFor } from "./policies.ts";
import { examine, report } from "./reconcile.ts";
import { AuthenticatorRegistry, createAuthenticatorLookup, type Examination } from "./registry.ts";

const group = "authentication.concierge.team1.example.com";
const { signal } = new AbortController();

function object(generation = 1, uid = "a"): AuthenticatorObject {
  return {
    apiVersion: `${group}/v1alpha1`,
    kind: "JWTAuthenticator",
    metadata: { name: "corp", uid, generation },
    spec: {},
  };
}

class FakeAuthenticator implements TokenAuthenticator {
  isDisposed = false;
  authenticate = async () => ({ username: "pip", groups: [] });
  [Symbol.dispose]() {
    this.isDisposed = true;
  }
}

const ready = (authenticator: TokenAuthenticator = new FakeAuthenticator()): Examination => ({
  statements: [{ type: "Ready", status: "True", reason: "Success", message: "" }],
  authenticator,
});
const broken: Examination = {
  statements: [{ type: "Ready", status: "False", reason: "NotReady", message: "no" }],
};

/** An object in the cluster, its registry, and what looks authenticators up. */
class World {
  current: AuthenticatorObject | undefined = object();
  examination: Examination = ready();
  readonly clock = new FakeClock();
  readonly registry = new AuthenticatorRegistry();
  readonly #get = async () => this.current;
  readonly lookup = createAuthenticatorLookup({
    group,
    kinds: {
      JWTAuthenticator: { informer: { get: () => this.current }, registry: this.registry },
    },
  });

  examine() {
    const check = async () => this.examination;
    return examine({ name: "corp" }, { get: this.#get, signal, check, registry: this.registry });
  }

  report() {
    const commit = async (_: unknown, desired: AuthenticatorObject) => {
      this.current = desired;
      return desired;
    };
    const { registry, clock } = this;
    return report({ name: "corp" }, { get: this.#get, commit, registry, now: clock.date });
  }

  status() {
    return this.current?.status;
  }

  find(reference: object = {}) {
    return this.lookup({ apiGroup: group, kind: "JWTAuthenticator", name: "corp", ...reference });
  }
}

describe("authenticators", () => {
  it("are found once they have been examined, by their group, kind and name", async () => {
    const world = new World();
    assert.equal(world.find(), undefined);
    assert.deepEqual(await world.examine(), {
      kind: "requeueAfter",
      seconds: 180,
    });
    assert.equal(world.find(), world.examination.authenticator);
  });

  const misses: Record<string, object> = {
    "the default group": { apiGroup: "authentication.concierge.pinniped.dev" },
    "the group of another instance": { apiGroup: "authentication.concierge.team2.example.com" },
    "no group": { apiGroup: undefined },
    "null for a group": { apiGroup: null },
    "an empty group": { apiGroup: "" },
    "another kind": { kind: "WebhookAuthenticator" },
    "a kind that every object inherits": { kind: "constructor" },
  };
  for (const [name, reference] of Object.entries(misses)) {
    it(`are not found by ${name}`, async () => {
      const world = new World();
      await world.examine();
      assert.equal(world.find(reference), undefined);
    });
  }

  it("are gone the moment in which their object is gone", async () => {
    const world = new World();
    await world.examine();
    const { authenticator } = world.examination;
    world.current = undefined;
    assert.equal(world.find(), undefined);
    await world.examine();
    assert.equal((authenticator as FakeAuthenticator).isDisposed, true);
  });

  it("are not used for another spec, nor for another object of the same name", async () => {
    const world = new World();
    await world.examine();
    world.current = object(2);
    assert.equal(world.find(), undefined);
    world.current = object(1, "b");
    assert.equal(world.find(), undefined);
  });

  it("stay while their issuer is away for a while, but not when their spec is wrong", async () => {
    const world = new World();
    await world.examine();
    const { authenticator } = world.examination;
    world.examination = broken;
    assert.deepEqual(await world.examine(), {
      kind: "requeueAfter",
      seconds: 30,
    });
    assert.equal(world.find(), authenticator);
    world.current = object(2);
    await world.examine();
    assert.equal(world.find(), undefined);
    assert.equal((authenticator as FakeAuthenticator).isDisposed, true);
  });

  it("that were replaced are let go of", async () => {
    const world = new World();
    await world.examine();
    const { authenticator } = world.examination;
    world.examination = ready();
    await world.examine();
    assert.equal((authenticator as FakeAuthenticator).isDisposed, true);
    assert.equal(world.find(), world.examination.authenticator);
  });
});

describe("the status of an authenticator", () => {
  it("is written when it has been examined, and only then", async () => {
    const world = new World();
    await world.report();
    assert.ok(!world.status());
    await world.examine();
    await world.report();
    assert.equal(world.status()?.phase, "Ready");
    assert.equal(world.status()?.conditions?.[0]?.observedGeneration, 1);
  });

  it("says nothing of a spec that was not examined yet", async () => {
    const world = new World();
    await world.examine();
    world.current = object(2);
    await world.report();
    assert.equal(world.status(), undefined);
  });

  it("is told of by each examination", async () => {
    const world = new World();
    const told: string[] = [];
    const stop = new AbortController();
    world.registry.subscribe((name) => void told.push(name), stop.signal);
    await world.examine();
    stop.abort();
    await world.examine();
    assert.deepEqual(told, ["corp"]);
  });

  it("moves a time only when a condition changes, and leaves those of others", async () => {
    const clock = new FakeClock();
    const foreign = {
      type: "Approved",
      status: "True",
      reason: "ByHand",
      message: "",
      lastTransitionTime: "2025-01-01T00:00:00Z",
    } as const;
    const before = { ...object(), status: { phase: "Pending" as const, conditions: [foreign] } };
    const first = statusFor(before, broken.statements, clock.date);
    await clock.advance(60_000);
    const second = statusFor({ ...before, status: first }, broken.statements, clock.date);
    assert.deepEqual(second, first);
    assert.equal(second.phase, "Error");
    assert.deepEqual(second.conditions?.[0], foreign);
  });
});

describe("a check that fails in a way that nobody has foreseen", () => {
  it("becomes a condition, and is tried again", async () => {
    const list = new Checklist();
    await list.check("First", () => ({ value: 1, message: "" }));
    await list.check("Second", () => {
      throw new TypeError("x is undefined");
    });
    const registry = new AuthenticatorRegistry();
    const examination = list.examination(undefined);
    const get = async () => object();
    const scope = { get, signal, check: async () => examination, registry };
    await assert.rejects(examine({ name: "corp" }, scope), /x is undefined/);
    const found = registry.find(object())?.statements ?? [];
    assert.deepEqual(
      found.map(({ type, status, reason }) => [type, status, reason]),
      [
        ["First", "True", "Success"],
        ["Second", "Unknown", "InternalError"],
        ["Ready", "False", "NotReady"],
      ],
    );
  });

  it("changes nothing where the replica ends", async () => {
    const registry = new AuthenticatorRegistry();
    const unforeseen = new Error("aborted");
    const scope = {
      get: async () => object(),
      signal: AbortSignal.abort(new Error("stopping")),
      check: async () => ({ ...broken, unforeseen }),
      registry,
    };
    await assert.rejects(examine({ name: "corp" }, scope), /aborted/);
    assert.equal(registry.has("corp"), false);
  });
});
