import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VSphereClusterIdentity } from "@rookery/api";
import { conflictError, notFoundError, type ObjectMeta } from "@rookery/kube";
import { IdentityUsers } from "./identity-users.ts";

const group = { group: "infrastructure.cluster.x-k8s.io", resource: "vsphereclusteridentities" };
const identity = (metadata: ObjectMeta): VSphereClusterIdentity => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
  kind: "VSphereClusterIdentity",
  metadata: { name: "shared", uid: "1", ...metadata },
  spec: { secretName: "account" },
});

const { signal } = new AbortController();

/** A server with one identity that is written only by who has read its newest version. */
class Server {
  stored: VSphereClusterIdentity | undefined;
  writes = 0;
  /** Called before each write, as others come in between. */
  interfere: () => void = () => {};

  constructor(metadata: ObjectMeta) {
    this.stored = identity({ resourceVersion: "1", ...metadata });
  }

  get = async (): Promise<VSphereClusterIdentity> => {
    if (!this.stored) throw notFoundError(group, "shared");
    return this.stored;
  };

  patch = async (_: unknown, { patch }: { patch: object | string }) => {
    this.interfere();
    const { metadata } = patch as { metadata: ObjectMeta };
    const { metadata: now } = await this.get();
    if (metadata.resourceVersion !== now.resourceVersion) throw conflictError(group, "shared", "x");
    this.writes += 1;
    return this.set({ finalizers: metadata.finalizers ?? [] });
  };

  /** What somebody else writes. */
  set(metadata: ObjectMeta): VSphereClusterIdentity {
    const { resourceVersion } = this.stored?.metadata ?? {};
    const next = { ...metadata, resourceVersion: String(Number(resourceVersion) + 1) };
    this.stored = identity({ ...this.stored?.metadata, ...next });
    return this.stored;
  }

  get finalizers(): readonly string[] {
    return this.stored?.metadata.finalizers ?? [];
  }
}

describe("the users of an identity", () => {
  it("that come together are written at once, beside those that are there", async () => {
    const server = new Server({ finalizers: ["other"] });
    const users = new IdentityUsers(server);
    const held = await Promise.all(
      ["a", "b", "c"].map((one) => users.add(identity({}), one, signal)),
    );
    assert.deepEqual(held, [true, true, true]);
    assert.deepEqual(server.finalizers, ["other", "a", "b", "c"]);
    assert.equal(server.writes, 1);
  });

  it("that come while others are being written are written next, all at once", async () => {
    const server = new Server({});
    const users = new IdentityUsers(server);
    const late: Promise<boolean>[] = [];
    server.interfere = () => {
      server.interfere = () => {};
      late.push(users.add(identity({}), "b", signal), users.add(identity({}), "c", signal));
    };
    await users.add(identity({}), "a", signal);
    assert.deepEqual(server.finalizers, ["a"]);
    await Promise.all(late);
    assert.deepEqual(server.finalizers, ["a", "b", "c"]);
    assert.equal(server.writes, 2);
  });

  it("come and go in one write, and who is there already costs none", async () => {
    const server = new Server({ finalizers: ["a", "b"] });
    const users = new IdentityUsers(server);
    await users.add(identity({}), "a", signal);
    assert.equal(server.writes, 0);
    const gone = users.remove(identity({}), ["a", "b", "unknown"], signal);
    await Promise.all([gone, users.add(identity({}), "c", signal)]);
    assert.deepEqual(server.finalizers, ["c"]);
    assert.equal(server.writes, 1);
  });

  it("are added to what another instance has written in the meantime", async () => {
    const server = new Server({});
    server.interfere = () => {
      server.interfere = () => {};
      server.set({ finalizers: ["theirs"] });
    };
    assert.equal(await new IdentityUsers(server).add(identity({}), "ours", signal), true);
    assert.deepEqual(server.finalizers, ["theirs", "ours"]);
  });

  it("are told where there is no end of it, and may try again", async () => {
    const server = new Server({});
    const users = new IdentityUsers(server);
    server.interfere = () => void server.set({});
    await assert.rejects(users.add(identity({}), "a", signal), { reason: "Conflict" });
    server.interfere = () => {};
    assert.equal(await users.add(identity({}), "a", signal), true);
  });

  it("do not hold one that is gone, nor another of its name", async () => {
    const server = new Server({ uid: "2" });
    assert.equal(await new IdentityUsers(server).add(identity({}), "a", signal), false);
    server.stored = undefined;
    assert.equal(await new IdentityUsers(server).add(identity({}), "a", signal), false);
    assert.equal(server.writes, 0);
  });

  it("let go of one that is being deleted, while nobody begins to hold it", async () => {
    const server = new Server({ deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["a"] });
    const users = new IdentityUsers(server);
    const [isHeld] = await Promise.all([
      users.add(identity({}), "b", signal),
      users.remove(identity({}), ["a"], signal),
    ]);
    assert.equal(isHeld, false);
    assert.deepEqual(server.finalizers, []);
  });

  it("wait no longer than their own signal says, and the write goes on for the others", async () => {
    const server = new Server({});
    const users = new IdentityUsers(server);
    const answer = Promise.withResolvers<void>();
    const { get } = server;
    const signals: (AbortSignal | undefined)[] = [];
    server.get = async (_?: unknown, options?: { readonly signal?: AbortSignal }) => {
      signals.push(options?.signal);
      await answer.promise;
      return get();
    };
    const stop = new AbortController();
    const left = users.add(identity({}), "a", stop.signal);
    const stays = users.add(identity({}), "b", signal);
    await Promise.resolve();
    stop.abort(new Error("stopped"));
    await assert.rejects(left, /stopped/);
    assert.equal(signals[0]?.aborted, false);
    answer.resolve();
    assert.equal(await stays, true);
  });

  it("end the write with the last of them, and those who come later have one of their own", async () => {
    const server = new Server({});
    const users = new IdentityUsers(server);
    const stop = new AbortController();
    const stopped = [users.add(identity({}), "a", stop.signal)];
    stop.abort(new Error("stopped"));
    const later = users.add(identity({}), "b", signal);
    for (const one of stopped) await assert.rejects(one, /stopped/);
    assert.equal(await later, true);
    assert.ok(server.finalizers.includes("b"));
  });
});
