import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { collectBody, createHttpClient, headerValue, type Sink, writeBody } from "@rookery/http";
import { waitFor } from "@rookery/testing";
import { createWorld, ok, request, text } from "./passing-world.ts";

describe("a proxy that stops", () => {
  /** Writes an event, then waits for its reader to leave. */
  const watching = (sink: Sink) => {
    sink.write(Buffer.from('{"type":"ADDED"}\n'));
    return new Promise<void>((_, reject) => {
      sink.signal.addEventListener("abort", () => reject(sink.signal.reason));
    });
  };

  for (const allowH2 of [false, true]) {
    test(`ends watches cleanly over HTTP/${allowH2 ? "2" : "1.1"}`, async () => {
      const headers = { "content-type": "application/json" };
      await using world = await createWorld(() => ok(watching, headers), { allowH2 });
      const { body } = await world.send({ path: "/api/v1/pods", query: "watch=true" });
      const first = Promise.withResolvers<void>();
      const written = writeBody(body, {
        signal: new AbortController().signal,
        write: () => first.resolve() ?? true,
        drained: async () => {},
      });
      await first.promise;
      await world.proxy.stop();
      await written;
    });
  }

  test("finishes what is on its way, and takes nothing new", async () => {
    const release = Promise.withResolvers<void>();
    await using world = await createWorld(async () => {
      await release.promise;
      return ok(Buffer.from("done"));
    });
    const answer = world.send();
    await waitFor(() => world.seen.length === 1, { what: "the request" });
    const stopped = world.proxy.stop();
    await using late = createHttpClient({
      origin: world.proxy.appUrl,
      tls: { ca: await world.proxy.ca() },
    });
    // One that is taken before the proxy stops listening gets no answer until the release.
    const isRefused = () =>
      Promise.resolve(late.handler(request({ signal: AbortSignal.timeout(1_000) }))).then(
        () => false,
        (error: Error) => error.name !== "TimeoutError",
      );
    await waitFor(isRefused, { what: "the proxy to take no more" });
    release.resolve();
    assert.equal(await text(await answer), "done");
    await stopped;
  });
});

describe("limits", () => {
  test("a body that is too long is refused with a Status", async () => {
    await using world = await createWorld(
      async ({ body }) => ok(await collectBody(body, { limit: 1 << 20 })),
      {
        args: ["--max-request-body=1024"],
      },
    );
    const declared = await world.send({ method: "POST", body: Buffer.alloc(1025) });
    assert.equal(declared.status, 413);
    assert.equal(JSON.parse(await text(declared)).reason, "RequestEntityTooLarge");
    const chunked = await world.send({
      method: "POST",
      body: (sink) => void sink.write(Buffer.alloc(1025)),
    });
    assert.equal(chunked.status, 413);
    const good = await world.send({ method: "POST", body: Buffer.alloc(1024) });
    assert.equal(good.status, 200);
  });

  test("headers that are too long are refused", async () => {
    await using world = await createWorld(() => ok(undefined), {
      args: ["--max-header-size=8192"],
    });
    const refused = await world.send({ headers: { a: "x".repeat(10_000) } });
    assert.equal(refused.status, 431);
    assert.equal(world.seen.length, 0);
  });

  test("gzip passes as it is where nothing is renamed", async () => {
    await using world = await createWorld(({ headers }) =>
      ok(Buffer.from("packed"), { "content-encoding": headerValue(headers, "accept-encoding") }),
    );
    const response = await world.send({ headers: { "accept-encoding": "gzip" } });
    assert.equal(response.headers["content-encoding"], "gzip");
    assert.equal(await text(response), "packed");
  });
});
