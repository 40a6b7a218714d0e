import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestRegistry } from "../../test/registry/registry.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const pods = "/api/v1/namespaces/default/pods";

describe("a new object", () => {
  it("gets what only a server says, whatever the client says", async () => {
    await using registry = await createTestRegistry();
    const metadata = {
      name: "a",
      uid: "mine",
      creationTimestamp: "2001-01-01T00:00:00Z",
      deletionTimestamp: "2001-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 7,
    };
    const { body } = await registry.ask(pods, { body: { metadata, spec: {}, status: { x: 1 } } });
    const { uid, ...rest } = body.metadata;
    assert.match(uid, /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
    assert.deepEqual(rest, {
      name: "a",
      namespace: "default",
      resourceVersion: String(registry.store.revision),
      generation: 1,
      creationTimestamp: "2026-01-01T00:00:00Z",
    });
    assert.deepEqual(body.status, {});
  });

  it("gets a name that nobody has where it has only the beginning of one", async () => {
    await using registry = await createTestRegistry();
    const names = new Set<string>();
    for (let count = 0; count < 50; count++) {
      const { status, body } = await registry.ask(configMaps, {
        body: { metadata: { generateName: "bird-" } },
      });
      assert.equal(status, 201);
      assert.match(body.metadata.name, /^bird-[a-z0-9]{5}$/);
      names.add(body.metadata.name);
    }
    assert.equal(names.size, 50);
  });

  it("is refused under a name that is taken, with what is the matter", async () => {
    await using registry = await createTestRegistry();
    const { ask } = registry;
    const create = (metadata: object, query = "") =>
      ask(`${configMaps}${query}`, { body: { metadata } });
    await create({ name: "a", finalizers: ["example.com/hold"] });
    const taken = 'configmaps "a" already exists';
    const again = await create({ name: "a" });
    assert.deepEqual(
      [again.status, again.body.reason, again.body.message],
      [409, "AlreadyExists", taken],
    );
    assert.equal((await create({ name: "a" }, "?dryRun=All")).body.message, taken);
    const generated = await create({ name: "a", generateName: "a" });
    const unable = "the server was not able to generate a unique name for the object";
    assert.equal(generated.body.message, `${taken}, ${unable}`);
    assert.equal(generated.body.details.retryAfterSeconds, 1);
    await ask(`${configMaps}/a`, { method: "DELETE" });
    const going = await create({ name: "a" });
    assert.equal(going.body.message, `object is being deleted: ${taken}`);
  });

  it("is only shown in a dry run", async () => {
    await using registry = await createTestRegistry();
    const before = registry.store.revision;
    const tried = await registry.ask(`${configMaps}?dryRun=All`, {
      body: { metadata: { name: "a" } },
    });
    assert.equal(tried.status, 201);
    assert.notEqual(tried.body.metadata.uid, undefined);
    assert.equal(tried.body.metadata.resourceVersion, undefined);
    assert.equal(registry.store.revision, before);
  });

  const long = "a".repeat(254);
  const rows: Record<string, [metadata: object, status: number, message: RegExp]> = {
    "a version": [
      { name: "a", resourceVersion: "5" },
      500,
      /^resourceVersion should not be set on objects to be created$/,
    ],
    "no name": [{}, 422, /metadata.name: Required value: name or generateName is required$/],
    "a name that is too long": [{ name: long }, 422, /must be no more than 253 characters$/],
    "a beginning that no name can have": [
      { generateName: "-a-" },
      422,
      /metadata.generateName: Invalid value: "-a-": a lowercase RFC 1123 subdomain/,
    ],
    "another namespace": [
      { name: "a", namespace: "other" },
      400,
      /^the namespace of the provided object does not match the namespace sent on the request$/,
    ],
    "a finalizer that nobody owns": [
      { name: "a", finalizers: ["hold"] },
      422,
      /metadata.finalizers\[0\]: Invalid value: "hold": name is neither a standard finalizer name nor is it fully qualified$/,
    ],
    "both finalizers of the collector": [
      { name: "a", finalizers: ["orphan", "foregroundDeletion"] },
      422,
      /metadata.finalizers: Invalid value: \["orphan","foregroundDeletion"\]: finalizer orphan and foregroundDeletion cannot be both set$/,
    ],
    "an owner without a version": [
      { name: "a", ownerReferences: [{ kind: "Pod", name: "p", uid: "u" }] },
      422,
      /metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty$/,
    ],
    "an event for an owner": [
      { name: "a", ownerReferences: [{ apiVersion: "v1", kind: "Event", name: "e", uid: "u" }] },
      422,
      /\{"apiVersion":"v1","kind":"Event","name":"e","uid":"u"\}: \/v1, Kind=Event is disallowed from being an owner$/,
    ],
    "a label that is none": [
      { name: "a", labels: { x: "!" } },
      422,
      /metadata.labels: Invalid value: "!": a valid label must be/,
    ],
    "a generation below zero": [
      { name: "a", generation: -1 },
      422,
      /metadata.generation: Invalid value: -1: must be greater than or equal to 0$/,
    ],
  };
  for (const [sentence, [metadata, status, message]] of Object.entries(rows)) {
    it(`is refused with ${sentence}`, async () => {
      await using registry = await createTestRegistry();
      const answer = await registry.ask(configMaps, { body: { metadata } });
      assert.equal(answer.status, status);
      assert.match(answer.body.message, message);
    });
  }
});
