import assert from "node:assert/strict";
import { test } from "node:test";
import { trustedCa } from "../test/certificates.ts";
import { protocols, request, startLoopback, text } from "../test/loopback.ts";
import { startRelay } from "../test/relay.ts";
import { createHttpClient } from "./http-client.ts";
import type { Handler } from "./message.ts";

const watch: Handler = () => ({
  status: 200,
  headers: {},
  body: (sink) => {
    sink.write(new TextEncoder().encode("event"));
    return new Promise((_, reject) =>
      sink.signal.addEventListener("abort", () => reject(sink.signal.reason)),
    );
  },
});

for (const protocol of protocols) {
  test(`${protocol}: a cut connection breaks off all its answers and aborts all its requests`, async () => {
    let gone = 0;
    const allGone = Promise.withResolvers<void>();
    await using loopback = await startLoopback(protocol, (asked) => {
      asked.signal.addEventListener("abort", () => ++gone === 5 && allGone.resolve());
      return watch(asked);
    });
    await using relay = await startRelay(loopback.server.address.port);
    await using client = createHttpClient({
      origin: `https://127.0.0.1:${relay.port}`,
      allowH2: protocol === "HTTP/2.0",
      tls: { ca: await trustedCa() },
    });
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.handler(request())));
    const reads = answers.map((answer) =>
      assert.rejects(text(answer), { code: "ConnectionLost", stage: "body" }),
    );
    relay.cut();
    await Promise.all([...reads, allGone.promise]);
    assert.equal((await client.handler(request())).status, 200);
  });
}
