import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatObjectKey, type ObjectMeta, type OwnerReference } from "@rookery/kube";
import type { Event, WithMetadata } from "./event.ts";
import * as handlers from "./event-handlers.ts";
import type { RequestQueue } from "./request.ts";

function object(name: string, metadata: ObjectMeta = {}): WithMetadata {
  return { metadata: { namespace: "ns", name, resourceVersion: "1", ...metadata } };
}

function owned(name: string, ...ownerReferences: OwnerReference[]): WithMetadata {
  return object(name, { ownerReferences, resourceVersion: name });
}

function owner(name: string, changes: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: "example.dev/v1", kind: "Owner", name, uid: name, ...changes };
}

function create(object: WithMetadata, isInInitialList = false): Event<WithMetadata> {
  return { type: "create", object, isInInitialList };
}

function update(objectOld: WithMetadata, objectNew: WithMetadata): Event<WithMetadata> {
  return { type: "update", objectOld, objectNew };
}

async function requests(handler: handlers.EventHandler, event: Event<WithMetadata>) {
  const added: [key: string, priority: number][] = [];
  const queue: RequestQueue = {
    add: (request, priority = 0) => void added.push([formatObjectKey(request), priority]),
    addAfter() {},
    addRateLimited() {},
  };
  await handler(event, queue);
  return added;
}

describe("enqueueRequestForObject", () => {
  const rows: Record<string, [Event<WithMetadata>, [string, number][]]> = {
    "a new object": [create(object("a")), [["ns/a", 0]]],
    "an object that was there before goes behind the others": [
      create(object("a"), true),
      [["ns/a", -100]],
    ],
    "a change": [update(object("a"), object("a", { resourceVersion: "2" })), [["ns/a", 0]]],
    "a resync goes behind the others": [update(object("a"), object("a")), [["ns/a", -100]]],
    "a deletion": [
      { type: "delete", object: object("a"), deleteStateUnknown: true },
      [["ns/a", 0]],
    ],
    "a generic event": [{ type: "generic", object: object("a") }, [["ns/a", 0]]],
    "a cluster-scoped object": [create({ metadata: { name: "a" } }), [["a", 0]]],
  };
  for (const [name, [event, expected]] of Object.entries(rows)) {
    it(name, async () => {
      assert.deepEqual(await requests(handlers.enqueueRequestForObject(), event), expected);
    });
  }
});

describe("enqueueRequestForOwner", () => {
  const kind = { group: "example.dev", kind: "Owner" };
  const rows: Record<string, [handlers.OwnerOptions, Event<WithMetadata>, string[]]> = {
    "owners of the kind, whatever their version": [
      { owner: kind },
      create(owned("a", owner("x"), owner("y", { apiVersion: "example.dev/v2" }))),
      ["ns/x", "ns/y"],
    ],
    "no owner of another group or kind": [
      { owner: kind },
      create(owned("a", owner("x", { apiVersion: "other.dev/v1" }), owner("y", { kind: "Other" }))),
      [],
    ],
    "no owner whose apiVersion nobody can read": [
      { owner: kind },
      create(owned("a", owner("x", { apiVersion: "example.dev/v1/x" }), owner("y"))),
      ["ns/y"],
    ],
    "the core group has no name": [
      { owner: { group: "", kind: "Owner" } },
      create(owned("a", owner("x", { apiVersion: "v1" }))),
      ["ns/x"],
    ],
    "only the controller, where that is asked for": [
      { owner: kind, controllerOnly: true },
      create(owned("a", owner("x"), owner("y", { controller: true }))),
      ["ns/y"],
    ],
    "the former owner too, and one that stays once": [
      { owner: kind },
      update(owned("a", owner("x"), owner("y")), owned("b", owner("y"), owner("z"))),
      ["ns/x", "ns/y", "ns/z"],
    ],
  };
  for (const [name, [options, event, expected]] of Object.entries(rows)) {
    it(name, async () => {
      const added = await requests(handlers.enqueueRequestForOwner(options), event);
      assert.deepEqual(
        added.map(([key]) => key),
        expected,
      );
    });
  }
});

describe("enqueueRequestsFromMapFunction", () => {
  const map = ({ metadata }: WithMetadata) => [
    { name: `first-${metadata.name}` },
    { name: "same" },
  ];
  const event = update(object("a"), object("b", { resourceVersion: "2" }));
  const expected = [
    ["first-a", 0],
    ["same", 0],
    ["first-b", 0],
  ];

  it("asks for what both the old and the new object map to, each once", async () => {
    assert.deepEqual(await requests(handlers.enqueueRequestsFromMapFunction(map), event), expected);
  });

  it("waits for a function that takes time", async () => {
    const slow = async (object: WithMetadata) => map(object);
    assert.deepEqual(
      await requests(handlers.enqueueRequestsFromMapFunction(slow), event),
      expected,
    );
  });

  it("goes behind the others for an object that was there before", async () => {
    const added = await requests(
      handlers.enqueueRequestsFromMapFunction(map),
      create(object("a"), true),
    );
    assert.deepEqual(added[0], ["first-a", -100]);
  });
});
