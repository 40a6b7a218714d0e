import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sink } from "@rookery/http";
import { FakeClock, waitFor } from "@rookery/testing";
import { createTestServer, requestOf } from "../../test/asking.ts";
import { asKind, createStored, greeting, group, path } from "../../test/stored.ts";

/** Watches, and gives what was sent so far. */
async function watching(server: ReturnType<typeof createStored>, target: string, headers = {}) {
  const leave = new AbortController();
  const response = await server.handler(requestOf(target, { headers, signal: leave.signal }));
  let text = "";
  const sink: Sink = {
    write(chunk) {
      text += Buffer.from(chunk).toString("utf8");
      return true;
    },
    drained: async () => {},
    signal: leave.signal,
  };
  assert.equal(typeof response.body, "function");
  const ended = (async () => (response.body as (sink: Sink) => Promise<void>)(sink))();
  const events = () => text.match(/.+\n/g)?.map((line) => JSON.parse(line)) ?? [];
  // Who shares the process with many watchers may be sent an event a moment later.
  const heard = (count: number) =>
    waitFor(() => events().length >= count, { what: `${count} events` });
  return { response, events, heard, ended, leave: () => leave.abort() };
}

test("a watch sends each event as a line", async () => {
  const server = createStored();
  const watch = await watching(server, `${path}?watch=true`);
  assert.equal(watch.response.headers["content-type"], "application/json");
  await server.ask(path, { body: greeting() });
  await server.ask(`${path}/x`, { method: "DELETE" });
  await watch.heard(2);
  assert.deepEqual(
    watch.events().map(({ type, object }) => [type, object.kind]),
    [
      ["ADDED", "Greeting"],
      ["DELETED", "Greeting"],
    ],
  );
  watch.leave();
  await watch.ended;
});

test("a watch of Tables says the columns once", async () => {
  const server = createStored();
  const headers = asKind("Table");
  const watch = await watching(server, `${path}?watch=true`, headers);
  await server.ask(path, { body: greeting() });
  await server.ask(`${path}/x`, { method: "DELETE" });
  await watch.heard(2);
  assert.deepEqual(
    watch.events().map(({ object }) => object.columnDefinitions?.length),
    [2, undefined],
  );
  watch.leave();
  await watch.ended;
});

test("an event whose JSON is ready is sent as it is", async () => {
  const encodedJson = (event: object) => Buffer.from(`{"type":"${"type" in event && event.type}"}`);
  const server = createStored({}, { encodedJson });
  const watch = await watching(server, `${path}?watch=true`);
  await server.ask(path, { body: greeting() });
  await watch.heard(1);
  assert.deepEqual(watch.events(), [{ type: "ADDED" }]);
  watch.leave();
  await watch.ended;
});

test("a watch ends cleanly when its time is over", async () => {
  const clock = new FakeClock();
  const server = createStored({}, { timers: clock });
  const watch = await watching(server, `${path}?watch=true&timeoutSeconds=5`);
  await clock.advance(5_000);
  await watch.ended;
  assert.equal(clock.timers, 0);
});

test("a watch is not written in YAML, and not of what has none", async () => {
  const { ask } = createStored();
  assert.equal(
    (await ask(`${path}?watch=true`, { headers: { accept: "application/yaml" } })).status,
    406,
  );
  const { status, body } = await createTestServer().ask(`${path}?watch=true`);
  assert.equal(status, 405);
  assert.equal(body.message, `watch is not supported on resources of kind "greetings.${group}"`);
});

test("an old path watches one object", async () => {
  const server = createStored();
  const watch = await watching(server, `/apis/${group}/v1/watch/greetings/x`);
  await server.ask(path, { body: greeting() });
  await watch.heard(1);
  assert.equal(watch.events().length, 1);
  watch.leave();
  await watch.ended;
});
