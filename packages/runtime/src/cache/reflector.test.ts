import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RequestTimeoutError } from "@rookery/client";
import {
  badRequestError,
  internalError,
  notFoundError,
  resourceExpiredError,
  serviceUnavailableError,
  timeoutError,
  tooManyRequestsError,
  unauthorizedError,
} from "@rookery/kube";
import { InformerFixture } from "../../test/cache/informer.ts";

const methods = {
  "all at once": "whole",
  "by stream": "streamed",
  "in pages": "paged",
} as const;

/** What was asked for, in short: a stream, a page, everything, or a watch from somewhere. */
const asked = (fixture: InformerFixture) => fixture.server.requests.map(summaryOf);
const last = (fixture: InformerFixture) => fixture.server.requests.at(-1) ?? new URLSearchParams();

function summaryOf(query: URLSearchParams): string {
  const version = query.get("resourceVersion");
  if (query.get("sendInitialEvents") === "true") return "stream";
  if (query.get("watch") === "true") return `watch ${version}`;
  return query.get("limit") === null ? "whole" : "page";
}

describe("a reflector that lists", () => {
  it("asks for everything at once, and watches from there", async () => {
    await using fixture = new InformerFixture({ pageSize: 2 });
    for (const name of ["a", "b", "c"]) fixture.server.put(name);
    await fixture.start();
    fixture.server.put("a");
    await fixture.settle();
    assert.deepEqual(asked(fixture), ["whole", "watch 4"]);
    assert.deepEqual(fixture.history, ["create a@2", "create b@3", "create c@4", "update a@5"]);
    fixture.assertInSync();
  });

  it("asks for the newest state when it lists again", async () => {
    await using fixture = new InformerFixture({ pageSize: 2 });
    for (const name of ["a", "b", "c"]) fixture.server.put(name);
    await fixture.start();
    fixture.server.compact();
    fixture.server.cutWatches(resourceExpiredError("too old"));
    await fixture.pass();
    assert.deepEqual(asked(fixture), ["whole", "watch 4", "whole", "watch 4"]);
    fixture.assertInSync();
  });

  it("lists in pages after a list broke off, and the next one all at once", async () => {
    await using fixture = new InformerFixture({ chunkSize: 32 * 1024 });
    for (const name of ["a", "b", "c"]) fixture.server.put(name, { spec: "x".repeat(33 * 1024) });
    fixture.server.cutAfterChunks = 3;
    await fixture.start();
    assert.equal(fixture.informer.hasSynced, false);
    assert.ok(fixture.informer.list().length > 0);
    await fixture.pass(2_000);
    fixture.server.compact();
    fixture.server.cutWatches(resourceExpiredError("too old"));
    await fixture.pass();
    assert.deepEqual(asked(fixture), ["whole", "page", "watch 4", "whole", "watch 4"]);
    fixture.assertInSync();
  });

  it("lists in pages where the server is too slow for all at once", async () => {
    const timedOut = new RequestTimeoutError({ method: "GET", path: "/nests" }, 65_000);
    for (const failure of [timedOut, timeoutError("the server was too slow", 1)]) {
      await using fixture = new InformerFixture();
      fixture.server.faults.push(failure);
      await fixture.start();
      await fixture.pass();
      assert.deepEqual(asked(fixture), ["whole", "page", "watch 1"]);
    }
  });

  it("streams the list where told so, and goes on with the same watch", async () => {
    await using fixture = new InformerFixture({ lists: "streamed" });
    fixture.server.put("a");
    await fixture.start();
    fixture.server.put("a");
    fixture.server.put("b");
    fixture.server.delete("a");
    await fixture.settle();
    assert.deepEqual(fixture.history, ["create a@2", "update a@3", "create b@4", "delete a@5"]);
    assert.equal(fixture.server.requests.length, 1);
    assert.equal(last(fixture).get("sendInitialEvents"), "true");
    assert.equal(last(fixture).get("resourceVersionMatch"), "NotOlderThan");
    fixture.assertInSync();
  });

  it("is in sync only when the stream of the list has ended", async () => {
    await using fixture = new InformerFixture({ lists: "streamed", chunkSize: 1 });
    fixture.server.put("a");
    fixture.server.cutAfterChunks = 300;
    await fixture.start();
    assert.equal(fixture.informer.hasSynced, false);
    await fixture.pass();
    assert.equal(fixture.informer.hasSynced, true);
    fixture.assertInSync();
  });

  it("asks for lists where the server refuses to stream them, and tries that no more", async () => {
    await using fixture = new InformerFixture({ lists: "streamed", watchList: false });
    for (const name of ["a", "b", "c", "d", "e"]) fixture.server.put(name);
    await fixture.start();
    fixture.server.put("f");
    await fixture.settle();
    fixture.assertInSync();
    fixture.server.compact();
    fixture.server.cutWatches(resourceExpiredError("too old"));
    await fixture.pass();
    assert.deepEqual(asked(fixture), ["stream", "whole", "watch 6", "whole", "watch 7"]);
    fixture.assertInSync();
  });

  it("begins anew where the state of its pages expires on the way", async () => {
    await using fixture = new InformerFixture({ lists: "paged", pageSize: 1 });
    for (const name of ["a", "b", "c"]) fixture.server.put(name);
    const { server } = fixture;
    server.onRequest = (query) => {
      if (query.get("continue") === null || server.requests.length > 3) return;
      server.delete("a");
      server.put("d");
      server.compact();
    };
    await fixture.start();
    assert.deepEqual(fixture.history, [
      "create a@2",
      "create b@3",
      "create c@4",
      "create d@6",
      "delete a@2",
    ]);
    fixture.assertInSync();
  });

  it("lists in pages after the stream of a list broke off, and streams the next one again", async () => {
    await using fixture = new InformerFixture({ lists: "streamed", chunkSize: 1 });
    fixture.server.put("a");
    fixture.server.put("b");
    fixture.server.cutAfterChunks = 300;
    await fixture.start();
    await fixture.pass(2_000);
    fixture.server.compact();
    fixture.server.cutWatches(resourceExpiredError("too old"));
    await fixture.pass();
    assert.deepEqual(asked(fixture), ["stream", "page", "watch 3", "stream"]);
    fixture.assertInSync();
  });

  it("watches from where it is where a list has no resourceVersion", async () => {
    await using fixture = new InformerFixture();
    fixture.server.put("a");
    fixture.server.listsHaveVersions = false;
    await fixture.start();
    fixture.server.put("b");
    await fixture.settle();
    assert.equal(fixture.server.requests.length, 2);
    fixture.assertInSync();
  });

  it("asks for a list where the server never says that its stream of it has ended", async () => {
    await using fixture = new InformerFixture({ lists: "streamed", initialEventsEnd: false });
    fixture.server.put("a");
    await fixture.start();
    assert.equal(fixture.informer.hasSynced, false);
    await fixture.pass(61_000);
    assert.equal(fixture.informer.hasSynced, true);
    assert.deepEqual(fixture.history, ["create a@2"]);
    fixture.assertInSync();
  });
});

describe("a reflector whose server fails", () => {
  const failures = {
    "has too many requests": tooManyRequestsError("later", 1),
    "has an internal error": internalError(new Error("etcd is down")),
    "is not available": serviceUnavailableError("starting"),
    "cannot be reached": new Error("connect ECONNREFUSED"),
    "does not know the caller for a while": unauthorizedError("who?"),
  };
  for (const [what, failure] of Object.entries(failures)) {
    it(`keeps what it has and resumes the watch where the server ${what}`, async () => {
      await using fixture = new InformerFixture();
      fixture.server.put("a");
      await fixture.start();
      fixture.server.faults.push(failure, failure);
      fixture.server.cutWatches();
      fixture.server.put("b");
      await fixture.settle();
      assert.equal(fixture.informer.list().length, 1);
      await fixture.pass();
      assert.deepEqual(fixture.history, ["create a@2", "create b@3"]);
      assert.equal(last(fixture).get("resourceVersion"), "2");
      assert.equal(fixture.server.requests.length, 5);
      fixture.assertInSync();
    });

    for (const [how, lists] of Object.entries(methods)) {
      it(`lists again ${how} where the server ${what}`, async () => {
        await using fixture = new InformerFixture({ lists });
        fixture.server.put("a");
        fixture.server.faults.push(failure, failure, failure);
        await fixture.start();
        assert.equal(fixture.informer.hasSynced, false);
        await fixture.pass();
        assert.equal(fixture.informer.hasSynced, true);
        fixture.assertInSync();
      });
    }
  }

  it("waits from 0.8 s on twice as long after each failure, up to 30 s, with half of it at random", async () => {
    await using fixture = new InformerFixture();
    fixture.server.faults.push(...Array.from({ length: 9 }, () => new Error("refused")));
    await fixture.start();
    const waits: number[] = [];
    let before = fixture.clock.now();
    for (let requests = 2; requests <= 10; requests++) {
      while (fixture.server.requests.length < requests) await fixture.clock.advance(100);
      waits.push(fixture.clock.now() - before);
      before = fixture.clock.now();
    }
    assert.deepEqual(waits, [1200, 2400, 4800, 9600, 19200, 38400, 45000, 45000, 45000]);
  });

  it("waits as long as the server asks for", async () => {
    await using fixture = new InformerFixture();
    fixture.server.faults.push(tooManyRequestsError("later", 20));
    await fixture.start();
    await fixture.pass(19_900);
    assert.equal(fixture.server.requests.length, 1);
    await fixture.pass(100);
    assert.deepEqual(asked(fixture), ["whole", "whole", "watch 1"]);
  });
});

describe("a reflector whose watch breaks", () => {
  it("goes on at once where the server ends it when its time is over", async () => {
    await using fixture = new InformerFixture();
    fixture.server.put("a");
    await fixture.start();
    await fixture.pass(450_000);
    assert.deepEqual(asked(fixture), ["whole", "watch 2", "watch 2"]);
    assert.equal(last(fixture).get("timeoutSeconds"), "450");
    assert.equal(fixture.server.openWatches, 1);
  });

  it("goes on from the last bookmark", async () => {
    await using fixture = new InformerFixture();
    fixture.server.put("a");
    await fixture.start();
    fixture.server.put("b", { namespace: "elsewhere" });
    fixture.server.bookmark();
    fixture.server.cutWatches();
    await fixture.pass();
    assert.equal(last(fixture).get("resourceVersion"), "3");
  });

  it("lists again where what happened is forgotten, and tells what it missed just once", async () => {
    await using fixture = new InformerFixture();
    for (const name of ["same", "changed", "deleted", "replaced"]) fixture.server.put(name);
    await fixture.start();
    const before = fixture.history.length;
    fixture.server.cutWatches();
    fixture.server.put("changed");
    fixture.server.delete("deleted");
    fixture.server.delete("replaced");
    fixture.server.put("replaced");
    fixture.server.put("added");
    fixture.server.compact();
    await fixture.pass();
    assert.deepEqual(fixture.history.slice(before), [
      "update changed@6",
      "delete replaced@5",
      "create replaced@9",
      "create added@10",
      "delete deleted@4",
    ]);
    const unknown = fixture.handler.events.map(
      (event) => event.type === "delete" && event.deleteStateUnknown,
    );
    assert.deepEqual(unknown.slice(before), [false, true, false, false, true]);
    fixture.assertInSync();
  });

  it("lists again where the server went back to a backup", async () => {
    await using fixture = new InformerFixture();
    fixture.server.put("a");
    fixture.server.put("a");
    await fixture.start();
    fixture.server.cutWatches();
    fixture.server.restore();
    fixture.server.delete("a");
    await fixture.pass();
    assert.deepEqual(fixture.informer.list(), []);
    assert.deepEqual(asked(fixture), ["whole", "watch 3", "watch 3", "whole", "watch 2"]);
  });

  for (const [what, refusal] of Object.entries({
    "the resource is gone": notFoundError({ group: "test.rookery.dev", resource: "nests" }, ""),
    "the request is bad": badRequestError("no"),
  })) {
    it(`lists again where ${what}, and keeps what it has meanwhile`, async () => {
      await using fixture = new InformerFixture();
      fixture.server.put("a");
      await fixture.start();
      fixture.server.faults.push(refusal);
      fixture.server.cutWatches();
      await fixture.pass(1_500);
      assert.equal(fixture.informer.list().length, 1);
      await fixture.pass();
      assert.deepEqual(asked(fixture), ["whole", "watch 2", "watch 2", "whole", "watch 2"]);
      fixture.assertInSync();
    });
  }

  it("lists again where the server fails five times to go on", async () => {
    await using fixture = new InformerFixture();
    fixture.server.put("a");
    await fixture.start();
    const broken = internalError(new Error("conversion webhook failed"));
    fixture.server.faults.push(...Array.from({ length: 5 }, () => broken));
    fixture.server.cutWatches();
    await fixture.pass(180_000);
    const refused = Array.from({ length: 5 }, () => "watch 2");
    assert.deepEqual(asked(fixture), ["whole", "watch 2", ...refused, "whole", "watch 2"]);
    fixture.assertInSync();
  });

  it("backs off where the server ends every watch at once", async () => {
    await using fixture = new InformerFixture();
    await fixture.start();
    await fixture.pass(2_000);
    for (let end = 0; end < 20; end++) {
      fixture.server.endWatches();
      await fixture.settle();
    }
    assert.ok(fixture.server.requests.length <= 4);
  });

  it("backs off where the server ends every watch after an event", async () => {
    await using fixture = new InformerFixture();
    await fixture.start();
    await fixture.pass(2_000);
    const requests = fixture.server.requests.length;
    for (let end = 0; end < 20; end++) {
      fixture.server.put("a");
      fixture.server.bookmark();
      fixture.server.endWatches();
      await fixture.settle();
    }
    assert.ok(fixture.server.requests.length <= requests + 1);
    await fixture.pass();
    fixture.assertInSync();
  });

  it("cuts a watch that goes silent, where no bookmarks are known, after its time is over", async () => {
    await using fixture = new InformerFixture();
    await fixture.start();
    fixture.server.put("a");
    await fixture.settle();
    fixture.server.silence();
    fixture.server.put("b");
    await fixture.pass(479_000);
    assert.deepEqual(fixture.history, ["create a@2"]);
    await fixture.pass(5_000);
    assert.deepEqual(fixture.history, ["create a@2", "create b@3"]);
    assert.deepEqual(asked(fixture), ["whole", "watch 1", "watch 2"]);
    fixture.assertInSync();
  });

  it("cuts a watch that goes silent after three missed bookmarks", async () => {
    await using fixture = new InformerFixture({ heartbeats: true });
    fixture.server.put("a");
    await fixture.start();
    await fixture.pass(61_000);
    fixture.server.silence();
    fixture.server.put("b");
    await fixture.pass(178_000);
    assert.deepEqual(fixture.history, ["create a@2"]);
    await fixture.pass(5_000);
    fixture.assertInSync();
  });

  it("remembers for later watches that the server sends bookmarks", async () => {
    await using fixture = new InformerFixture({ heartbeats: true });
    await fixture.start();
    await fixture.pass(61_000);
    fixture.server.cutWatches();
    await fixture.pass(2_000);
    fixture.server.silence();
    const before = asked(fixture);
    await fixture.pass(182_000);
    assert.deepEqual(asked(fixture).slice(before.length), ["whole", "watch 1"]);
  });

  it("lists again where a watch brings nothing at all", async () => {
    await using fixture = new InformerFixture();
    fixture.server.put("a");
    await fixture.start();
    fixture.server.cutWatches();
    await fixture.pass(2_000);
    fixture.server.silence();
    await fixture.pass(600_000);
    assert.deepEqual(asked(fixture), ["whole", "watch 2", "watch 2", "whole", "watch 2"]);
  });

  it("tells of 10,000 objects that changed while the watch was down", async () => {
    await using fixture = new InformerFixture();
    const names = Array.from({ length: 10_000 }, (_, index) => `nest-${index}`);
    for (const name of names) fixture.server.put(name);
    await fixture.start();
    for (const compacted of [false, true]) {
      const before = fixture.history.length;
      fixture.server.cutWatches();
      for (const name of names) fixture.server.put(name);
      if (compacted) fixture.server.compact();
      await fixture.pass();
      assert.equal(fixture.history.length - before, 10_000);
      fixture.assertInSync();
    }
  });
});

describe("a reflector that is cut at any point", () => {
  for (const [how, lists] of Object.entries(methods)) {
    it(`loses nothing and tells nothing twice, with lists ${how}`, async () => {
      const options = { lists, pageSize: 2, chunkSize: 5 };
      const points = await chunksOfScenario(options);
      assert.ok(points > 20);
      for (let point = 0; point < points; point++) {
        await using fixture = new InformerFixture(options);
        fixture.server.cutAfterChunks = point;
        await runScenario(fixture);
        fixture.assertInSync();
      }
    });
  }

  async function runScenario(fixture: InformerFixture): Promise<void> {
    for (const name of ["a", "b", "c"]) fixture.server.put(name);
    await fixture.start();
    await fixture.pass();
    for (const name of ["a", "d"]) fixture.server.put(name);
    await fixture.settle();
    fixture.server.delete("b");
    fixture.server.put("b");
    await fixture.pass();
  }

  async function chunksOfScenario(options: object): Promise<number> {
    await using fixture = new InformerFixture(options);
    await runScenario(fixture);
    return fixture.server.chunks;
  }
});

describe("a reflector that is stopped", () => {
  const moments: Record<string, (fixture: InformerFixture) => void | Promise<void>> = {
    "while it watches": () => {},
    "while it waits after a failure": async (fixture) => {
      fixture.server.faults.push(new Error("refused"));
      fixture.server.cutWatches();
      await fixture.settle();
    },
    "while its watch is silent": (fixture) => fixture.server.silence(),
  };
  for (const [when, prepare] of Object.entries(moments)) {
    it(`leaves nothing running ${when}`, async () => {
      const fixture = new InformerFixture({ resyncPeriod: 1000 });
      fixture.server.put("a");
      await fixture.start();
      await prepare(fixture);
      await fixture.stop();
      await fixture.settle();
      assert.equal(fixture.server.openWatches, 0);
      const requests = fixture.server.requests.length;
      await fixture.pass(600_000);
      assert.equal(fixture.server.requests.length, requests);
      assert.equal(fixture.clock.timers, 0);
    });
  }
});
