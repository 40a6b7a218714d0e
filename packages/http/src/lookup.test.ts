import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { serverCertificate } from "../test/certificates.ts";
import { failure, request, startServer, text } from "../test/loopback.ts";
import { createHttpClient } from "./http-client.ts";
import type { Handler } from "./message.ts";

const answer: Handler = () => ({ status: 200, headers: {}, body: Buffer.from("here") });

describe("a client that resolves names itself", () => {
  it("connects to the addresses that it returns, in the clear and by TLS", async () => {
    const tls = await serverCertificate();
    for (const secure of [false, true]) {
      await using server = await startServer(answer, secure ? { tls } : {});
      const { protocol, port } = new URL(server.server.url);
      const origin = `${protocol}//vc.example:${port}`;
      const asked: string[] = [];
      await using client = createHttpClient({
        origin,
        tls: { rejectUnauthorized: false },
        lookup: (hostname, _, callback) => {
          asked.push(hostname);
          callback(null, [{ address: "127.0.0.1", family: 4 }]);
        },
      });
      assert.equal(await text(await client.handler(request())), "here");
      assert.deepEqual(asked, ["vc.example"]);
    }
  });

  it("does not connect where that fails", async () => {
    const refused = new Error("that address is refused");
    await using client = createHttpClient({
      origin: "https://vc.example",
      lookup: (_, __, callback) => callback(refused, ""),
    });
    const error = await failure(client.handler(request()));
    assert.deepEqual([error.stage, error.cause], ["connect", refused]);
  });
});
