import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Context } from "@rookery/http";
import { FakeClock } from "@rookery/testing";
import { createProfilerHandler } from "./profiler-server.ts";

function request(target: string) {
  const [path = "", query = ""] = target.split("?");
  const { signal } = new AbortController();
  return { method: "GET", path, query, headers: {}, signal, context: Context.empty };
}

describe("the profiler", () => {
  it("says what there is", async () => {
    const { body } = await createProfilerHandler()(request("/debug/"));
    assert.match(String(body), /\/debug\/heap/);
  });

  it("takes a profile for as long as it is asked to, one at a time", async () => {
    const clock = new FakeClock();
    const handler = createProfilerHandler(clock);
    const answer = Promise.resolve(handler(request("/debug/profile?seconds=5")));
    await clock.advance(0);
    assert.equal((await handler(request("/debug/profile"))).status, 409);
    await clock.advance(5_000);
    const { status, headers, body } = await answer;
    assert.equal(status, 200);
    assert.equal(headers["content-disposition"], 'attachment; filename="process.cpuprofile"');
    assert.ok(JSON.parse(String(body)).nodes.length > 0);
  });

  for (const seconds of ["0", "-1", "301", "x"]) {
    it(`refuses ${seconds} seconds`, async () => {
      const { status } = await createProfilerHandler()(
        request(`/debug/profile?seconds=${seconds}`),
      );
      assert.equal(status, 400);
    });
  }
});
