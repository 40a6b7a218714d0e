import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { describe, it } from "node:test";
import { serverCertificate } from "../test/certificates.ts";
import { failure, request, startServer, text } from "../test/loopback.ts";
import { ThumbprintMismatchError } from "./errors.ts";
import { createHttpClient } from "./http-client.ts";
import type { Handler } from "./message.ts";

const answer: Handler = () => ({ status: 200, headers: {}, body: Buffer.from("here") });

async function start() {
  const tls = await serverCertificate();
  const { fingerprint, fingerprint256 } = new X509Certificate(tls.cert);
  const started = await startServer(answer, { tls });
  const { url: origin } = started.server;
  return { ...started, origin, fingerprint, fingerprint256 };
}

describe("a server that is known by its thumbprint", () => {
  it("is trusted although nobody trusts its authority, on every connection", async () => {
    await using server = await start();
    const { origin, fingerprint, fingerprint256 } = server;
    for (const thumbprint of [fingerprint, fingerprint256, fingerprint.toLowerCase()]) {
      await using client = createHttpClient({ origin, tls: { thumbprint } });
      const answers = await Promise.all(
        Array.from({ length: 5 }, async () => text(await client.handler(request()))),
      );
      assert.deepEqual(new Set(answers), new Set(["here"]));
    }
  });

  it("is refused with another certificate, before it has seen the request", async () => {
    await using server = await start();
    const thumbprint = server.fingerprint.replace(/../, (byte) => (byte === "00" ? "01" : "00"));
    await using client = createHttpClient({ origin: server.origin, tls: { thumbprint } });
    const error = await failure(client.handler(request()));
    assert.equal(error.code, "TlsFailed");
    assert.equal(error.stage, "connect");
    assert.ok(error.cause instanceof ThumbprintMismatchError);
    assert.match(error.message, new RegExp(`thumbprint ${server.fingerprint}, not ${thumbprint}`));
  });

  it("is refused where it speaks in the clear", async () => {
    await using plain = await startServer(answer);
    const { url: origin } = plain.server;
    const thumbprint = "00".repeat(20);
    await using client = createHttpClient({ origin, tls: { thumbprint } });
    assert.match((await failure(client.handler(request()))).message, /the thumbprint none/);
  });

  it("cannot be known by what is no thumbprint, or behind a proxy", () => {
    const origin = "https://127.0.0.1:1";
    for (const thumbprint of ["", "AB:CD", "x".repeat(40)]) {
      assert.throws(() => createHttpClient({ origin, tls: { thumbprint } }), {
        code: "InvalidThumbprint",
      });
    }
    const tls = { thumbprint: "00".repeat(20) };
    assert.throws(() => createHttpClient({ origin, tls, proxyUrl: "http://127.0.0.1:2" }), /proxy/);
  });
});
