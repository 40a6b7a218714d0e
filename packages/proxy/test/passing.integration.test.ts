import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { collectBody, createHttpClient, type HttpResponse } from "@rookery/http";
import { waitFor } from "@rookery/testing";
import { startFakeUpstream } from "./fake-upstream.ts";
import { createWorld, ok, request, text } from "./passing-world.ts";
import { startProxy } from "./start-proxy.ts";

/** Resolves to what an answer's end was: whether it was complete. */
async function endOf(response: HttpResponse): Promise<"complete" | "broken off"> {
  return collectBody(response.body, { limit: 1 << 24 }).then(
    () => "complete",
    () => "broken off",
  );
}

for (const allowH2 of [false, true]) {
  describe(`an app that speaks HTTP/${allowH2 ? "2" : "1.1"}`, () => {
    test("gets what the API server answers, and the API server what it asks", async () => {
      const answer = {
        status: 409,
        headers: { "content-type": "application/json", warning: ["a", "b"] },
      };
      await using world = await createWorld(() => ({ ...answer, body: Buffer.from("{}") }), {
        allowH2,
      });
      const headers = {
        authorization: "Bearer t0",
        "user-agent": "app/1",
        "impersonate-group": ["a", "b"],
        connection: "keep-alive",
        "x-remote-user": "admin",
      };
      const response = await world.send({ path: "/apis/a%2Fb/v1", query: "x=%20&y", headers });
      assert.equal(response.status, 409);
      assert.deepEqual(response.headers.warning, ["a", "b"]);
      assert.equal(await text(response), "{}");
      const [asked] = world.seen;
      assert.deepEqual([asked?.path, asked?.query], ["/apis/a%2Fb/v1", "x=%20&y"]);
      const { host, ...rest } = asked?.headers ?? {};
      assert.match(String(host), /^127/);
      assert.deepEqual(
        { ...rest },
        {
          authorization: "Bearer t0",
          "user-agent": "app/1",
          "impersonate-group": ["a", "b"],
        },
      );
    });

    test("may send a body of unknown length", async () => {
      await using world = await createWorld(
        async ({ body }) => ok(await collectBody(body, { limit: 1 << 22 })),
        {
          allowH2,
        },
      );
      const chunk = Buffer.alloc(100_000, "x");
      const response = await world.send({
        method: "POST",
        async body(sink) {
          for (let i = 0; i < 20; i++) if (!sink.write(chunk)) await sink.drained();
        },
      });
      assert.equal((await text(response)).length, 2_000_000);
    });

    test("may ask for the head alone", async () => {
      await using world = await createWorld(() => ok(Buffer.from("12345")), { allowH2 });
      const response = await world.send({ method: "HEAD" });
      assert.equal(response.headers["content-length"], "5");
      assert.equal(await text(response), "");
    });

    test("hears when an answer breaks off", async () => {
      await using world = await createWorld(
        () =>
          ok(async (sink) => {
            sink.write(Buffer.from("{"));
            throw new Error("it broke");
          }),
        { allowH2 },
      );
      assert.equal(await endOf(await world.send()), "broken off");
    });

    test("ends the request upstream when it leaves", async () => {
      const left = Promise.withResolvers<void>();
      await using world = await createWorld(
        ({ signal }) => {
          signal.addEventListener("abort", () => left.resolve());
          return ok((sink) => {
            sink.write(Buffer.from("{}\n"));
            return new Promise((_, reject) => sink.signal.addEventListener("abort", reject));
          });
        },
        { allowH2 },
      );
      const leaving = new AbortController();
      const { body } = await world.send({ query: "watch=1", signal: leaving.signal });
      assert.equal(typeof body, "function");
      leaving.abort();
      await left.promise;
    });

    test("slows the API server down where it reads slowly", async () => {
      let written = 0;
      let paused = false;
      await using world = await createWorld(
        () =>
          ok(async (sink) => {
            while (!sink.signal.aborted && !paused) {
              written += 65_536;
              if (sink.write(Buffer.alloc(65_536))) continue;
              const room = await Promise.race([sink.drained().then(() => true), settling()]);
              if (!room) paused = true;
            }
            await sink.drained();
          }),
        { allowH2 },
      );
      const response = await world.send({ query: "watch=1" });
      assert.ok(typeof response.body === "function");
      // Its reader never reads: what fits into buffers is written, and no more.
      await waitFor(() => paused, {
        what: "the upstream to be held up",
        detail: () => `${written} bytes`,
      });
      assert.ok(written < 32 * 1024 * 1024, `${written} bytes`);
    });
  });
}

/** False once a reader has had plenty of time to make room. */
function settling(): Promise<boolean> {
  return new Promise((resolve) => setTimeout(() => resolve(false), 1_000));
}

describe("an API server that does not answer", () => {
  test("is down: the app gets a Status that says so, and readiness fails", async () => {
    const upstream = await startFakeUpstream(() => ok(undefined));
    await using proxy = await startProxy("", [
      "--identity=app",
      `--upstream=${upstream.kubeconfig}`,
    ]);
    await upstream[Symbol.asyncDispose]();
    await using client = createHttpClient({ origin: proxy.appUrl, tls: { ca: await proxy.ca() } });
    const response = await client.handler(request({ headers: { authorization: "Bearer s3cret" } }));
    assert.equal(response.status, 503);
    assert.equal(response.headers["retry-after"], "1");
    const status = JSON.parse(await text(response));
    assert.equal(status.reason, "ServiceUnavailable");
    assert.match(status.message, /no answer from the API server: .*connection refused/);
    assert.equal((await fetch(`${proxy.healthUrl}/readyz`)).status, 500);
    assert.equal((await fetch(`${proxy.healthUrl}/healthz`)).status, 200);
    const metrics = await (await fetch(`${proxy.metricsUrl}/metrics`)).text();
    assert.match(metrics, /upstream_errors_total\{listener="app",reason="ConnectionRefused"\} 1\n/);
    assert.doesNotMatch(proxy.log, /s3cret/);
  });

  test("is busy: its own answer passes with the time to come back", async () => {
    const busy = { status: 429, headers: { "retry-after": "3" }, body: Buffer.from("busy") };
    await using world = await createWorld(() => busy);
    const response = await world.send();
    assert.deepEqual([response.status, response.headers["retry-after"]], [429, "3"]);
    assert.equal(world.seen.length, 1);
  });
});
