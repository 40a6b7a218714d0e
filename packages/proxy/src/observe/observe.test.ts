import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, it } from "node:test";
import { type Handler, type HttpRequest, writeBody } from "@rookery/http";
import { createLogger, createMetrics } from "@rookery/runtime";
import { FakeClock } from "@rookery/testing";
import { createTestSink, request } from "../../test/handler.ts";
import { observe } from "./observe.ts";
import { createProxyMetrics } from "./proxy-metrics.ts";

function setup(next: Handler) {
  const metrics = createMetrics({ processMetrics: false });
  const lines: string[] = [];
  const logger = createLogger({ verbosity: 4, output: { write: (line) => lines.push(line) } });
  const listener = createProxyMetrics(metrics)("app");
  const handler = observe({ metrics: listener, logger, clock: new FakeClock() })(next);
  return {
    ask: async (parts: Partial<HttpRequest>) => handler(request(parts)),
    lines,
    has: async (line: string) => {
      const text = await metrics.registry.metrics();
      assert.ok(text.includes(`\n${line}\n`), `${line} in\n${text}`);
    },
  };
}

const inFlight = (count: number) => `rookery_proxy_requests_in_flight{listener="app"} ${count}`;

describe("what a proxy tells about requests", () => {
  it("counts them by verb and code", async () => {
    const { ask, has } = setup(() => ({ status: 404, headers: {} }));
    await ask({});
    await ask({ method: "POST" });
    await ask({});
    await has('rookery_proxy_requests_total{listener="app",verb="LIST",code="404"} 2');
    await has('rookery_proxy_requests_total{listener="app",verb="POST",code="404"} 1');
    await has('rookery_proxy_request_duration_seconds_count{listener="app",verb="LIST"} 2');
    await has(inFlight(0));
  });

  it("counts one as in flight until its last byte", async () => {
    const { ask, has } = setup(() => ({ status: 200, headers: {}, body: async () => {} }));
    const { body } = await ask({});
    await has(inFlight(1));
    await writeBody(body, createTestSink());
    await has(inFlight(0));
  });

  it("counts one that is left as done, once", async () => {
    const { ask, has } = setup(() => ({ status: 200, headers: {}, body: async () => {} }));
    const controller = new AbortController();
    const { body } = await ask({ signal: controller.signal });
    controller.abort();
    await has(inFlight(0));
    await writeBody(body, createTestSink());
    await has(inFlight(0));
  });

  it("counts a switched protocol as in flight until it is closed", async () => {
    const { ask, has } = setup(() => ({ status: 101, headers: {}, upgrade: () => {} }));
    const { upgrade } = await ask({ headers: { upgrade: "SPDY/3.1" } });
    const peer = new PassThrough();
    upgrade?.(peer);
    await has(inFlight(1));
    const closed = new Promise((resolve) => peer.once("close", resolve));
    peer.destroy();
    await closed;
    await has(inFlight(0));
    await has('rookery_proxy_requests_total{listener="app",verb="CONNECT",code="101"} 1');
  });

  it("counts one that fails as done", async () => {
    const { ask, has } = setup(() => Promise.reject(new Error("no")));
    await assert.rejects(ask({}), /no/);
    await has(inFlight(0));
  });

  it("tells no secret in the log", async () => {
    const { ask, lines } = setup(() => ({ status: 200, headers: { "set-cookie": "s3cret" } }));
    await ask({
      path: "/api/v1/namespaces/a/pods/b/exec",
      query: "command=login&command=s3cret",
      headers: { authorization: "Bearer s3cret", "user-agent": "kubectl" },
      body: Buffer.from("s3cret"),
    });
    await ask({ path: "/api/v1/namespaces/a/services/b/proxy/reset/s3cret" });
    assert.equal(lines.length, 2);
    assert.match(lines[0] ?? "", /"path":"\/api\/v1\/namespaces\/a\/pods\/b\/exec".*"kubectl"/);
    assert.match(lines[1] ?? "", /services\/b\/proxy\/…"/);
    assert.doesNotMatch(lines.join(""), /s3cret/);
  });
});
