import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, test } from "node:test";
import { type Client, createClientOver } from "@rookery/client";
import type { Handler } from "@rookery/http";
import { FakeClock } from "@rookery/testing";
import { Tenants } from "./tenants.ts";

const place = { server: "https://tenant:6443", certificateAuthority: "ca" };
const credentials = { certificate: "c", key: "k" };

/** Tenants whose API servers answer what the test says. */
function setUp() {
  const clock = new FakeClock();
  const heard: string[] = [];
  const asked: number[] = [];
  let status = 503;
  let isHeld = false;
  const handler: Handler = async ({ path, signal }) => {
    if (path === "/readyz") asked.push(clock.now());
    if (isHeld) await once(signal ?? new EventTarget(), "abort");
    signal?.throwIfAborted();
    const text = path === "/version" ? JSON.stringify({ gitVersion: "v1.34.4" }) : "";
    const headers = { "content-type": "application/json" };
    return { status, headers, body: Buffer.from(text) };
  };
  const connected: Client[] = [];
  const tenants = new Tenants({
    onChange: (key) => heard.push(key),
    connect: () => {
      const client = createClientOver(handler);
      connected.push(client);
      return client;
    },
    clock,
  });
  const issued: number[] = [];
  const watch = (at = place) =>
    tenants.watch("a", at, async (lifetime) => {
      issued.push(lifetime);
      return credentials;
    });
  return {
    clock,
    heard,
    asked,
    tenants,
    connected,
    issued,
    watch,
    answer: (next: number) => {
      status = next;
    },
    /** Whether questions are left without an answer. */
    hold: (next: boolean) => {
      isHeld = next;
    },
  };
}

describe("a tenant", () => {
  test("is asked often while it comes up, less often the longer that takes", async () => {
    const { clock, asked, watch } = setUp();
    await watch();
    await clock.advance(1000);
    assert.ok(asked.length >= 10, `${asked.length} times in a second`);
    await clock.advance(3_600_000);
    const [last = 0, before = 0] = asked.toReversed();
    assert.equal(last - before, 5000);
  });

  test("is heard of when it answers first and when it becomes ready, and asked twice a minute then", async () => {
    const { clock, heard, asked, tenants, watch, answer } = setUp();
    await watch();
    await clock.advance(500);
    assert.deepEqual(tenants.state("a"), { isReady: false, why: "/readyz answers 503" });
    assert.deepEqual(heard, ["a"]);
    answer(200);
    await clock.advance(500);
    assert.deepEqual(tenants.state("a"), { isReady: true, version: "v1.34.4", why: "" });
    assert.deepEqual(heard, ["a", "a"]);
    asked.length = 0;
    await clock.advance(60_000);
    assert.equal(asked.length, 2);
  });

  test("is not known before it has answered, or has not three times", async () => {
    const { clock, tenants, watch, heard } = setUp();
    assert.equal(tenants.state("a"), undefined);
    await watch();
    await clock.advance(150);
    assert.equal(tenants.state("a"), undefined);
    assert.deepEqual(heard, []);
    await clock.advance(100);
    assert.equal(tenants.state("a")?.isReady, false);
    assert.deepEqual(heard, ["a"]);
  });

  test("may miss a beat, and is not ready after three", async () => {
    const { clock, tenants, watch, answer, heard } = setUp();
    answer(200);
    await watch();
    await clock.advance(100);
    answer(500);
    await clock.advance(31_500);
    assert.equal(tenants.state("a")?.isReady, true);
    await clock.advance(2000);
    assert.equal(tenants.state("a")?.isReady, false);
    assert.deepEqual(heard, ["a", "a"]);
  });

  test("is asked at once when something happened to it", async () => {
    const { clock, asked, tenants, watch } = setUp();
    await watch();
    await clock.advance(600_000);
    asked.length = 0;
    tenants.hurry("a");
    await clock.advance(1000);
    assert.ok(asked.length >= 8, `${asked.length} times in a second`);
  });

  test("is asked anew when something happened to it while an answer is waited for", async () => {
    const { clock, asked, tenants, watch, answer, hold, connected } = setUp();
    hold(true);
    await watch();
    await clock.advance(2000);
    assert.equal(asked.length, 1, "it waits for the answer");
    tenants.hurry("a");
    hold(false);
    answer(200);
    await clock.advance(100);
    assert.equal(tenants.state("a")?.isReady, true);
    assert.equal(connected.length, 2, "by another connection");
    assert.equal(tenants.client("a"), connected[1]);
    assert.equal(clock.timers, 1, "and once");
  });

  test("is waited for when it was asked just now", async () => {
    const { clock, asked, tenants, watch, hold } = setUp();
    hold(true);
    await watch();
    await clock.advance(100);
    tenants.hurry("a");
    await clock.advance(100);
    assert.equal(asked.length, 1);
  });

  test("is told who asks once, until half of that time is over or it is elsewhere", async () => {
    const { clock, issued, watch, tenants, answer } = setUp();
    answer(200);
    await watch();
    await clock.advance(100);
    await watch();
    assert.equal(issued.length, 1);
    await clock.advance(12 * 60 * 60 * 1000);
    await watch();
    assert.equal(issued.length, 2);
    assert.equal(tenants.state("a")?.isReady, true);
    await watch({ ...place, server: "https://elsewhere:6443" });
    assert.equal(issued.length, 3);
    assert.equal(tenants.state("a"), undefined);
  });

  test("that is forgotten is not asked any more", async () => {
    const { clock, asked, tenants, watch } = setUp();
    await watch();
    await clock.advance(100);
    tenants.forget("a");
    asked.length = 0;
    await clock.advance(60_000);
    assert.deepEqual(asked, []);
    assert.equal(clock.timers, 0);
    assert.equal(tenants.client("a"), undefined);
  });

  test("is not asked by who has ended while credentials were issued", async () => {
    const { clock, asked, tenants, watch } = setUp();
    const watched = watch();
    await tenants[Symbol.asyncDispose]();
    await watched;
    await clock.advance(10_000);
    assert.deepEqual(asked, []);
  });
});
