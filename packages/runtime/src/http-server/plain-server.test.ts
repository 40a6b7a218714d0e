import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ListenError } from "@rookery/http";
import { readOnly, routeByPath, textResponse } from "./handlers.ts";
import { createPlainServer } from "./plain-server.ts";

const handler = routeByPath(new Map([["/here", readOnly(() => textResponse(200, "ok"))]]));

function server(port = 0) {
  const address = { host: "127.0.0.1", port };
  return createPlainServer({ name: "test server", address, handler });
}

describe("a server that a manager runs", () => {
  it("is ready when it listens, and ends with its signal", async () => {
    const stop = new AbortController();
    const runnable = server();
    assert.equal(runnable.url, "");
    const ended = runnable.start(stop.signal);
    await runnable.waitForReady?.(stop.signal);
    assert.equal(await (await fetch(`${runnable.url}/here`)).text(), "ok");
    assert.equal((await fetch(`${runnable.url}/there`)).status, 404);
    assert.equal((await fetch(`${runnable.url}/here`, { method: "POST" })).status, 405);
    stop.abort();
    await ended;
    await assert.rejects(fetch(`${runnable.url}/here`));
  });

  it("fails where something else listens", async () => {
    const stop = new AbortController();
    const first = server();
    const ended = first.start(stop.signal);
    await first.waitForReady?.(stop.signal);
    const second = server(Number(new URL(first.url).port));
    await assert.rejects(second.start(stop.signal), ListenError);
    stop.abort();
    await ended;
  });
});
