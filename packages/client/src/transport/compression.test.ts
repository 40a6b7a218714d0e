import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { type Body, collectBody, type HttpResponse, type Sink } from "@rookery/http";
import { FakeServer, request } from "../../test/fake-server.ts";
import { settled } from "../../test/fake-time.ts";
import { acceptGzip } from "./compression.ts";

const text = "kittiwake ".repeat(100_000);
const packed = gzipSync(text);

function packedResponse(body: Body): HttpResponse {
  const headers = { "content-encoding": "gzip", "content-length": "9", etag: "x" };
  return { status: 200, headers, body };
}

/** Writes bytes in small pieces and minds the back-pressure. */
function inPieces(bytes: Uint8Array): Body {
  return async (sink) => {
    for (let i = 0; i < bytes.byteLength; i += 7) {
      if (!sink.write(bytes.subarray(i, i + 7))) await sink.drained();
    }
  };
}

async function ask(body: Body): Promise<HttpResponse> {
  return acceptGzip()(new FakeServer(packedResponse(body)).handler)(request());
}

describe("compression", () => {
  const bodies: Record<string, Body> = {
    "in one piece": packed,
    "in chunks": [packed.subarray(0, 100), packed.subarray(100)],
    "as it comes": inPieces(packed),
  };
  for (const [name, body] of Object.entries(bodies)) {
    it(`is asked for and undone ${name}`, async () => {
      const response = await ask(body);
      assert.deepEqual(response.headers, { etag: "x" });
      const bytes = await collectBody(response.body, { limit: 1 << 24 });
      assert.equal(Buffer.from(bytes).toString(), text);
    });
  }

  it("leaves an answer alone that is not packed", async () => {
    const plain = { status: 200, headers: {}, body: Buffer.from("x") };
    const server = new FakeServer(plain);
    assert.equal(await acceptGzip()(server.handler)(request()), plain);
    assert.equal(server.last.headers["accept-encoding"], "gzip");
  });

  it("is not for watches, nor where the request asks for something itself", async () => {
    const server = new FakeServer();
    await acceptGzip()(server.handler)(request({ query: "watch=true" }));
    assert.deepEqual(server.last.headers, {});
    const headers = { "accept-encoding": "identity" };
    await acceptGzip()(server.handler)(request({ headers }));
    assert.deepEqual(server.last.headers, headers);
  });

  it("tells when what is packed is broken, or breaks off", async () => {
    const broken = [Buffer.from("no gzip"), packed.subarray(0, 500), inPieces(Buffer.from("no"))];
    for (const body of broken) {
      const response = await ask(body);
      await assert.rejects(collectBody(response.body, { limit: 1 << 24 }));
    }
  });

  it("passes on that the body broke off", async () => {
    const cut = async (sink: Sink) => {
      sink.write(packed.subarray(0, 500));
      throw new Error("cut");
    };
    const response = await ask(cut);
    await assert.rejects(collectBody(response.body, { limit: 1 << 24 }), /cut/);
  });

  it("stops the writer when nobody wants the rest", async () => {
    const stopped = Promise.withResolvers<void>();
    const endless: Body = async (sink) => {
      sink.signal.addEventListener("abort", () => stopped.resolve());
      while (!sink.signal.aborted) {
        sink.write(packed.subarray(0, 1000));
        await settled();
      }
    };
    const response = await ask(endless);
    await assert.rejects(collectBody(response.body, { limit: 1000 }), /longer than 1000 bytes/);
    await stopped.promise;
  });

  it("waits while the reader has no room", async () => {
    let room = Promise.withResolvers<void>();
    let received = 0;
    const sink: Sink = {
      write(chunk) {
        received += chunk.byteLength;
        return false;
      },
      drained: () => room.promise,
      signal: new AbortController().signal,
    };
    const { body } = await ask(inPieces(packed));
    assert(typeof body === "function");
    const done = body(sink);
    while (received === 0) await settled();
    const first = received;
    for (let i = 0; i < 20; i++) await settled();
    assert.equal(received, first);
    while (received < text.length) {
      room.resolve();
      await settled();
      room = Promise.withResolvers();
    }
    room.resolve();
    await done;
  });
});
