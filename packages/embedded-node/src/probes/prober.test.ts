import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, it } from "node:test";
import { waitFor } from "@rookery/testing";
import { probeContainer } from "./prober.ts";

const address = "127.0.0.1";

/** A port of which nobody knows. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, address);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

describe("a probe before its first success", () => {
  it("is asked again long before its period is over, and tells of each period's failure alone", async () => {
    const port = await freePort();
    const heard: string[] = [];
    const probe = { tcpSocket: { port }, periodSeconds: 3600 };
    const container = { name: "late", startupProbe: probe, readinessProbe: probe };
    const end = new AbortController();
    const probing = probeContainer(container, {
      target: { container, address, run: () => assert.fail("it has no command") },
      listener: {
        started: () => heard.push("started"),
        ready: (isReady) => heard.push(`ready: ${isReady}`),
        failed: (name) => heard.push(`failed: ${name}`),
        unhealthy: (message) => heard.push(message.replace(/:.*/, "")),
      },
      signal: end.signal,
    });
    await waitFor(async () => heard.length > 0, { what: "the first try" });
    const server = createServer((socket) => socket.destroy()).listen(port, address);
    try {
      await waitFor(async () => heard.includes("ready: true"), { what: "it to be ready" });
    } finally {
      end.abort();
      server.close();
    }
    await probing;
    assert.deepEqual(heard, ["Startup probe failed", "started", "ready: true"]);
  });
});
