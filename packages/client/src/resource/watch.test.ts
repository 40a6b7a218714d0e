import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Body, type Handler, RequestError, type Sink } from "@rookery/http";
import {
  builtInResources,
  isGone,
  isResourceExpired,
  isUnauthorized,
  type KubeObject,
} from "@rookery/kube";
import fc from "fast-check";
import { FakeServer, failure } from "../../test/fake-server.ts";
import { settled } from "../../test/fake-time.ts";
import { WatchEventError } from "../errors.ts";
import type { WatchOptions } from "./options.ts";
import { createResourceClient } from "./resource-client.ts";
import { isInitialEventsEnd, type WatchEvent } from "./watch-event.ts";
import type { OnWatchEvent } from "./watch-sink.ts";

const { configMaps } = builtInResources;

function line(type: string, name: string, more: object = {}): string {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, ...more };
  return `${JSON.stringify({ type, object })}\n`;
}

const expired = line("ERROR", "", {
  kind: "Status",
  status: "Failure",
  reason: "Expired",
  code: 410,
  message: "too old resource version: 1 (2)",
});

function serve(body: Body): Handler {
  return () => ({ status: 200, headers: { "content-type": "application/json" }, body });
}

function watching(
  handler: Handler,
  options: WatchOptions = {},
  onEvent?: OnWatchEvent<KubeObject>,
) {
  const events: string[] = [];
  const record = ({ type, object }: WatchEvent) =>
    void events.push(`${type} ${object.metadata.name}`);
  const done = createResourceClient(handler, configMaps).watch(options, onEvent ?? record);
  return { events, done };
}

/** A body that a test writes piece by piece, and that notices when its reader is gone. */
class LiveBody {
  readonly #ready = Promise.withResolvers<Sink>();
  readonly #end = Promise.withResolvers<void>();
  stopped = false;

  readonly body: Body = async (sink) => {
    sink.signal.addEventListener("abort", () => {
      this.stopped = true;
      this.#end.reject(sink.signal.reason);
    });
    this.#ready.resolve(sink);
    await this.#end.promise;
  };

  async write(text: string): Promise<boolean> {
    return (await this.#ready.promise).write(Buffer.from(text));
  }

  async drained(): Promise<void> {
    await (await this.#ready.promise).drained();
  }

  end(): void {
    this.#end.resolve();
  }

  cut(): void {
    const failed = { method: "GET", origin: "https://a", path: "/", stage: "body" } as const;
    this.#end.reject(new RequestError(failed, "ConnectionLost", { reason: "cut" }));
  }
}

describe("a watch", () => {
  it("calls back with each event and resolves when the server ends it", async () => {
    const text =
      line("ADDED", "a") + line("MODIFIED", "a") + line("BOOKMARK", "") + line("DELETED", "a");
    const { events, done } = watching(serve(Buffer.from(text)));
    await done;
    assert.deepEqual(events, ["ADDED a", "MODIFIED a", "BOOKMARK ", "DELETED a"]);
  });

  it("delivers the same events, wherever the bytes are cut and whoever waits", async () => {
    const names = fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(names, fc.array(fc.nat()), fc.boolean(), async (all, cuts, slow) => {
        const bytes = Buffer.from(all.map((name) => line("ADDED", name)).join(""));
        const ends = [...cuts.map((at) => at % (bytes.length + 1)), bytes.length].sort(
          (a, b) => a - b,
        );
        const chunks = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
        const seen: string[] = [];
        const onEvent = ({ object }: WatchEvent) => {
          seen.push(object.metadata.name ?? "");
          return slow && seen.length % 2 === 0 ? settled() : undefined;
        };
        await watching(serve(chunks), {}, onEvent).done;
        assert.deepEqual(seen, all);
      }),
      { numRuns: 50 },
    );
  });

  it("takes a last line without its end, and empty lines", async () => {
    const { events, done } = watching(serve(Buffer.from(`\n\n${line("ADDED", "a").trim()}`)));
    await done;
    assert.deepEqual(events, ["ADDED a"]);
  });

  it("resolves without events where there is no body", async () => {
    await watching(serve(undefined)).done;
  });

  it("asks for bookmarks, and for what it was told", async () => {
    const server = new FakeServer({ status: 200, headers: {} });
    const rows: [WatchOptions, string][] = [
      [{}, "/api/v1/configmaps?watch=true&allowWatchBookmarks=true"],
      [
        { namespace: "ns", resourceVersion: "5", timeoutSeconds: 9, allowWatchBookmarks: false },
        "/api/v1/namespaces/ns/configmaps?watch=true&allowWatchBookmarks=false&resourceVersion=5&timeoutSeconds=9",
      ],
      [
        { sendInitialEvents: true, labelSelector: "a=b", fieldSelector: "metadata.name!=c" },
        "/api/v1/configmaps?watch=true&labelSelector=a=b&fieldSelector=metadata.name!=c&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
      ],
    ];
    for (const [options, target] of rows) {
      await watching(server.handler, options).done;
      assert.equal(server.last.target, target);
    }
  });

  it("tells when the initial events are over", () => {
    const annotations = { "k8s.io/initial-events-end": "true" };
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { annotations } };
    assert(isInitialEventsEnd({ type: "BOOKMARK", object }));
    assert(!isInitialEventsEnd({ type: "ADDED", object }));
    assert(!isInitialEventsEnd({ type: "BOOKMARK", object: { ...object, metadata: {} } }));
  });

  it("calls back when the server has accepted it, before the first event", async () => {
    const order: string[] = [];
    const { done } = watching(
      serve(Buffer.from(line("ADDED", "a"))),
      { onOpen: () => order.push("open") },
      ({ object }) => void order.push(object.metadata.name ?? ""),
    );
    await done;
    assert.deepEqual(order, ["open", "a"]);
  });

  describe("rejects", () => {
    it("with the Status of the answer", async () => {
      const server = new FakeServer(failure(401, "Unauthorized"));
      await assert.rejects(watching(server.handler).done, isUnauthorized);
      const gone = new FakeServer(failure(410, "Gone"));
      await assert.rejects(watching(gone.handler).done, isGone);
    });

    it("with the Status of an ERROR event, and delivers nothing after it", async () => {
      const text = line("ADDED", "a") + expired + line("ADDED", "b");
      const { events, done } = watching(serve(Buffer.from(text)));
      await assert.rejects(done, isResourceExpired);
      await assert.rejects(done, /too old resource version/);
      assert.deepEqual(events, ["ADDED a"]);
    });

    it("with the error of a connection that was cut, after the events before it", async () => {
      const live = new LiveBody();
      const { events, done } = watching(serve(live.body));
      await live.write(`${line("ADDED", "a")}{"type":"ADD`);
      live.cut();
      await assert.rejects(
        done,
        (error) => error instanceof RequestError && error.stage === "body",
      );
      assert.deepEqual(events, ["ADDED a"]);
    });

    it("wherever it is cut, after just the events that were complete", async () => {
      const lines = [line("ADDED", "ä"), line("MODIFIED", "b"), line("DELETED", "c")];
      const bytes = Buffer.from(lines.join(""));
      for (let at = 0; at < bytes.length; at++) {
        const { events, done } = watching(
          serve((sink) => {
            sink.write(bytes.subarray(0, at));
            throw new Error("cut");
          }),
        );
        await assert.rejects(done, /cut/);
        const complete = bytes.subarray(0, at).toString().split("\n").length - 1;
        assert.equal(events.length, complete);
      }
    });

    it("with what a callback threw, and closes the connection", async () => {
      const thrown = new RangeError("mine");
      for (const onEvent of [() => Promise.reject(thrown), () => assert.fail(thrown)]) {
        const live = new LiveBody();
        const { done } = watching(serve(live.body), {}, onEvent);
        await live.write(line("ADDED", "a") + line("ADDED", "b"));
        await assert.rejects(done, thrown);
        assert(live.stopped);
      }
    });

    const secret = "do-not-tell";
    const broken: Record<string, [text: string, message: RegExp]> = {
      "what is not JSON": [`{"a":"${secret}\n`, /an event is not JSON/],
      "what is no object": ["null\n", /an event has no object/],
      "an unknown type": [line("RENAMED", secret), /an event has the unknown type "RENAMED"/],
      "an error without Status": [line("ERROR", secret), /an ERROR event has no Status/],
      "a line that breaks off": [`{"type":"ADDED","object":{"a":"${secret}`, /or broke off/],
      "a line that is too long": ["x".repeat(101), /an event is longer than 100 bytes/],
    };
    for (const [name, [text, message]] of Object.entries(broken)) {
      it(`with WatchEventError for ${name}`, async () => {
        const { done } = watching(serve(Buffer.from(text)), { maxEventBytes: 100 });
        await assert.rejects(done, (error) => {
          assert(error instanceof WatchEventError);
          assert.match(error.message, message);
          assert.match(error.message, /^could not watch \/api\/v1\/configmaps: /);
          assert(!error.message.includes(secret));
          return true;
        });
      });
    }
  });

  describe("while a callback is at work", () => {
    it("has no room, calls back with nothing else, and goes on afterwards", async () => {
      const live = new LiveBody();
      const works = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const seen: string[] = [];
      const { done } = watching(serve(live.body), {}, ({ object }) => {
        seen.push(object.metadata.name ?? "");
        return works[seen.length - 1]?.promise;
      });
      assert.equal(await live.write(line("ADDED", "a") + line("ADDED", "b")), false);
      assert.equal(await live.write(line("ADDED", "c")), false, "it takes chunks in any case");
      await settled();
      assert.deepEqual(seen, ["a"]);
      works[0]?.resolve();
      await settled();
      assert.deepEqual(seen, ["a", "b"]);
      const room = live.drained();
      works[1]?.resolve();
      await room;
      assert.deepEqual(seen, ["a", "b", "c"]);
      assert.equal(await live.write(line("ADDED", "d")), true);
      live.end();
      await done;
    });

    it("does not resolve before it is done", async () => {
      const work = Promise.withResolvers<void>();
      let resolved = false;
      const { done } = watching(serve(Buffer.from(line("ADDED", "a"))), {}, () => work.promise);
      const waiting = done.then(() => {
        resolved = true;
      });
      await settled();
      assert(!resolved);
      work.resolve();
      await waiting;
    });
  });

  describe("that is given up", () => {
    const reason = new Error("given up");

    it("rejects at once, closes the connection, and calls back no more", async () => {
      const live = new LiveBody();
      const controller = new AbortController();
      const { events, done } = watching(serve(live.body), { signal: controller.signal });
      await live.write(line("ADDED", "a"));
      controller.abort(reason);
      await assert.rejects(done, reason);
      assert(live.stopped);
      assert.equal(await live.write(line("ADDED", "b")), false);
      assert.deepEqual(events, ["ADDED a"]);
    });

    for (const [name, finish] of Object.entries({
      succeeds: (work: PromiseWithResolvers<void>) => work.resolve(),
      fails: (work: PromiseWithResolvers<void>) => work.reject(new Error("late")),
    })) {
      it(`in the middle of a callback that ${name} later, rejects without it`, async () => {
        const live = new LiveBody();
        const controller = new AbortController();
        const seen: unknown[] = [];
        const work = Promise.withResolvers<void>();
        const { done } = watching(serve(live.body), { signal: controller.signal }, (event) => {
          seen.push(event);
          return work.promise;
        });
        await live.write(line("ADDED", "a") + line("ADDED", "b"));
        controller.abort(reason);
        await assert.rejects(done, reason);
        finish(work);
        await settled();
        assert.equal(seen.length, 1);
      });
    }

    it("by a callback itself, calls back no more, even within one chunk", async () => {
      const controller = new AbortController();
      const seen: string[] = [];
      const text = line("ADDED", "a") + line("ADDED", "b");
      const { done } = watching(
        serve(Buffer.from(text)),
        { signal: controller.signal },
        ({ object }) => {
          seen.push(object.metadata.name ?? "");
          controller.abort(reason);
        },
      );
      await assert.rejects(done, reason);
      assert.deepEqual(seen, ["a"]);
    });

    it("while the server is still thinking, never opens", async () => {
      const controller = new AbortController();
      const thinking: Handler = ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
      const onOpen = () => assert.fail("it opened");
      const { done } = watching(thinking, { signal: controller.signal, onOpen });
      controller.abort(reason);
      await assert.rejects(done, reason);
    });
  });

  it("takes many small events in large chunks", async () => {
    const bytes = Buffer.from(line("MODIFIED", "a").repeat(50_000));
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += 16_384) chunks.push(bytes.subarray(at, at + 16_384));
    let count = 0;
    await watching(serve(chunks), {}, () => void count++).done;
    // About 0.15 s; quadratic would take minutes.
    assert.equal(count, 50_000);
  });
});
