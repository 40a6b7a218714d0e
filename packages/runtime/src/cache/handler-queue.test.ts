import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { settled } from "@rookery/testing";
import fc from "fast-check";
import { RecordingHandler } from "../../test/cache/recording-handler.ts";
import { HandlerQueue, type ObjectEventHandler } from "./handler-queue.ts";
import type { ObjectEvent } from "./replica.ts";

let version = 0;
const nest = (name: string, uid = name): KubeObject => ({
  apiVersion: "v1",
  kind: "Nest",
  metadata: { name, uid, resourceVersion: String(++version) },
});
const created = (object: KubeObject, isInInitialList = false): ObjectEvent<KubeObject> => ({
  type: "create",
  object,
  isInInitialList,
});
const updated = (objectOld: KubeObject, objectNew: KubeObject): ObjectEvent<KubeObject> => ({
  type: "update",
  objectOld,
  objectNew,
});
const deleted = (object: KubeObject): ObjectEvent<KubeObject> => ({
  type: "delete",
  object,
  deleteStateUnknown: false,
});

/** A handler that takes until it is told to go on. */
function slowHandler() {
  const recorder = new RecordingHandler();
  let release = () => {};
  let running = 0;
  const handler: ObjectEventHandler<KubeObject> = async (event) => {
    running++;
    assert.equal(running, 1, "two events at a time");
    recorder.handle(event);
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    running--;
  };
  const finish = async (times = 1) => {
    for (let time = 0; time < times; time++) {
      release();
      await settled();
    }
  };
  return { recorder, handler, finish };
}

function failTest(error: unknown): never {
  throw error;
}

describe("a handler's queue", () => {
  it("delivers to an idle handler at once, in order", () => {
    const { handle, ...recorder } = new RecordingHandler();
    const queue = new HandlerQueue({ handler: handle, onError: failTest });
    const [a, b] = [nest("a"), nest("a")];
    queue.push(created(a));
    queue.push(updated(a, b));
    queue.push(deleted(b));
    assert.deepEqual(
      recorder.events.map(({ type }) => type),
      ["create", "update", "delete"],
    );
  });

  const whileBusy: Record<string, [ObjectEvent<KubeObject>[], string[]]> = (() => {
    const [a, b, c, other] = [nest("a"), nest("a"), nest("a"), nest("a", "other")];
    return {
      "the newest of several updates": [[updated(a, b), updated(b, c)], [`update ${rv(c)}`]],
      "a deletion instead of the updates before it": [
        [updated(a, b), deleted(b)],
        [`delete ${rv(b)}`],
      ],
      "a deletion and the creation after it": [
        [deleted(a), created(other)],
        [`delete ${rv(a)}`, `create ${rv(other)}`],
      ],
      "one deletion where the object came back and went again": [
        [deleted(a), created(other), deleted(other)],
        [`delete ${rv(a)}`],
      ],
    };
  })();
  for (const [what, [events, expected]] of Object.entries(whileBusy)) {
    it(`tells a busy handler ${what}`, async () => {
      const { recorder, handler, finish } = slowHandler();
      const queue = new HandlerQueue({ handler, onError: failTest });
      const [first] = events;
      assert.ok(first);
      queue.push(created(first.type === "update" ? first.objectOld : first.object));
      for (const event of events) queue.push(event);
      await finish(4);
      const told = recorder.events.slice(1).map((event) => `${event.type} ${rv(objectIn(event))}`);
      assert.deepEqual(told, expected);
    });
  }

  it("says nothing of what came and went while the handler was busy", async () => {
    const { recorder, handler, finish } = slowHandler();
    const queue = new HandlerQueue({ handler, onError: failTest });
    const b = nest("b");
    queue.push(created(nest("a")));
    queue.push(created(b));
    queue.push(deleted(b));
    await finish(3);
    assert.equal(recorder.events.length, 1);
  });

  it("goes on after a handler that throws or rejects, and reports what it threw", async () => {
    const errors: string[] = [];
    const names: string[] = [];
    const queue = new HandlerQueue<KubeObject>({
      onError: (error, event) => errors.push(`${event.type}: ${(error as Error).message}`),
      handler: (event) => {
        const { name = "" } = objectIn(event).metadata;
        names.push(name);
        if (name === "throws") throw new Error("thrown");
        if (name === "rejects") return Promise.reject(new Error("rejected"));
      },
    });
    for (const name of ["throws", "rejects", "fine"]) queue.push(created(nest(name)));
    await settled();
    assert.deepEqual(errors, ["create: thrown", "create: rejected"]);
    assert.deepEqual(names, ["throws", "rejects", "fine"]);
  });

  it("lets others have their turn between many deliveries", async () => {
    const { handle, ...recorder } = new RecordingHandler();
    const queue = new HandlerQueue({ handler: handle, onError: failTest });
    queue.pushAll(Array.from({ length: 1200 }, (_, index) => created(nest(`n${index}`))));
    const counts: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      counts.push(recorder.events.length);
      await settled();
    }
    assert.deepEqual(counts, [0, 500, 1000, 1200, 1200]);
  });

  it("knows whether objects of the initial list are still to be delivered", async () => {
    const { handler, finish } = slowHandler();
    let delivered = 0;
    const onInitialDelivered = () => void delivered++;
    const queue = new HandlerQueue({ handler, onError: failTest, onInitialDelivered });
    const [a, b, c] = [nest("a"), nest("b"), nest("c")];
    for (const object of [a, b, c]) queue.push(created(object, true));
    queue.push(deleted(c));
    await finish();
    assert.equal(queue.hasInitial, true);
    await finish();
    assert.deepEqual([queue.hasInitial, delivered], [false, 1]);
  });

  it("delivers nothing once it is closed", async () => {
    const { recorder, handler, finish } = slowHandler();
    const queue = new HandlerQueue({ handler, onError: failTest });
    queue.push(created(nest("a")));
    queue.push(created(nest("b")));
    queue.close();
    queue.push(created(nest("c")));
    await finish(3);
    assert.equal(recorder.events.length, 1);
  });

  it("tells a history that makes sense and ends with what is, however slow the handler", async () => {
    const action = fc.tuple(fc.constantFrom("a", "b"), fc.constantFrom("put", "delete", "finish"));
    await fc.assert(
      fc.asyncProperty(fc.array(action), async (actions) => {
        const { recorder, handler, finish } = slowHandler();
        const queue = new HandlerQueue({ handler, onError: failTest });
        const objects = new Map<string, KubeObject>();
        for (const [name, what] of actions) {
          const known = objects.get(name);
          if (what === "finish") await finish();
          else if (what === "put") {
            const object = nest(name, known?.metadata.uid ?? `uid-${version}`);
            objects.set(name, object);
            queue.push(known ? updated(known, object) : created(object));
          } else if (known) {
            objects.delete(name);
            queue.push(deleted(known));
          }
        }
        await finish(10);
        assert.deepEqual(new Map([...recorder.known].toSorted()), new Map([...objects].toSorted()));
      }),
    );
  });
});

function objectIn(event: ObjectEvent<KubeObject>): KubeObject {
  return event.type === "update" ? event.objectNew : event.object;
}

function rv(object: KubeObject): string {
  return object.metadata.resourceVersion ?? "";
}
