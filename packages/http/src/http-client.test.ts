import assert from "node:assert/strict";
import { once } from "node:events";
import { createSecureServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { clientCertificate, serverCertificate, trustedCa } from "../test/certificates.ts";
import { failure, protocols, request, startLoopback, text } from "../test/loopback.ts";
import { startRawServer } from "../test/raw-server.ts";
import { collectBody, discardBody } from "./body.ts";
import { BodyUsedError } from "./errors.ts";
import { createHttpClient } from "./http-client.ts";
import type { Body, Handler, Sink } from "./message.ts";
import { peerKey } from "./peer.ts";

const bytes = (content: string): Uint8Array => new TextEncoder().encode(content);

/** Answers with the port that the request came from: the connection's name. */
const namePort: Handler = ({ context }) => ({
  status: 200,
  headers: {},
  body: bytes(String(context.get(peerKey)?.port)),
});

for (const origin of [
  "",
  "host",
  "ftp://host",
  "https://host/path",
  "https://host?a",
  "https://a:b@host",
]) {
  test(`"${origin}" is no origin`, () => {
    assert.throws(() => createHttpClient({ origin }), { code: "InvalidOrigin" });
  });
}

for (const protocol of protocols) {
  test(`${protocol}: an abort before the connection is made rejects at once`, async () => {
    await using silent = await startRawServer(() => {});
    const origin = `https://127.0.0.1:${silent.port}`;
    await using client = createHttpClient({ origin, allowH2: protocol === "HTTP/2.0" });
    const leave = new AbortController();
    const answer = client.handler(request({ signal: leave.signal }));
    leave.abort(new Error("left"));
    await assert.rejects(async () => answer, /left/);
    await assert.rejects(async () => client.handler(request({ signal: leave.signal })), /left/);
  });

  test(`${protocol}: an abort in the tick of the request rejects and leaves the client usable`, async () => {
    await using loopback = await startLoopback(protocol, namePort);
    await text(await loopback.send());
    for (const body of [undefined, Buffer.alloc(1_000_000)] satisfies Body[]) {
      const leave = new AbortController();
      const answer = loopback.send({ method: "POST", body, signal: leave.signal });
      leave.abort(new Error("left"));
      await assert.rejects(answer, /left/);
    }
    assert.equal((await loopback.send()).status, 200);
  });

  test(`${protocol}: an abort between headers and body is what the body's reader gets`, async () => {
    await using loopback = await startLoopback(protocol, () => ({
      status: 200,
      headers: {},
      body: () => new Promise(() => {}),
    }));
    const leave = new AbortController();
    const answer = await loopback.send({ signal: leave.signal });
    leave.abort(new Error("left"));
    await assert.rejects(text(answer), /left/);
  });

  test(`${protocol}: a reader that leaves stops the server's writer`, async () => {
    const stopped = Promise.withResolvers<void>();
    await using loopback = await startLoopback(protocol, () => ({
      status: 200,
      headers: {},
      body: async (sink) => {
        sink.signal.addEventListener("abort", () => stopped.resolve());
        for (;;) if (!sink.write(Buffer.alloc(1000))) await sink.drained();
      },
    }));
    const answer = await loopback.send();
    await assert.rejects(collectBody(answer.body, { limit: 10_000 }), { code: "BodyTooLarge" });
    await stopped.promise;
  });

  test(`${protocol}: a discarded body leaves its connection for the next request`, async () => {
    await using loopback = await startLoopback(
      protocol,
      (asked) =>
        asked.path === "/"
          ? namePort(asked)
          : { status: 200, headers: {}, body: Buffer.alloc(150_000) },
      { client: { connections: 1 } },
    );
    const first = await text(await loopback.send());
    await discardBody((await loopback.send({ path: "/long" })).body);
    assert.equal(await text(await loopback.send()), first);
  });

  test(`${protocol}: small and empty bodies that nobody reads do not hold their connection`, async () => {
    const sizes: Record<string, number> = { "/empty": 0, "/small": 1000 };
    await using loopback = await startLoopback(
      protocol,
      ({ path }) => ({ status: 200, headers: {}, body: Buffer.alloc(sizes[path] ?? 0) }),
      { client: { connections: 1 } },
    );
    for (const path of ["/empty", "/small", "/empty", "/small"]) await loopback.send({ path });
  });

  test(`${protocol}: a response's body can be read once`, async () => {
    await using loopback = await startLoopback(protocol, namePort);
    const answer = await loopback.send();
    await text(answer);
    await assert.rejects(text(answer), BodyUsedError);
  });

  test(`${protocol}: a new certificate is for new requests, and those on their way finish`, async () => {
    const go = Promise.withResolvers<void>();
    const name: Handler = async ({ path, context }) => {
      if (path === "/slow") await go.promise;
      const shown = context.get(peerKey)?.certificate?.chain[0] ?? new Uint8Array();
      return { status: 200, headers: {}, body: shown };
    };
    const ca = await trustedCa();
    const [first, second] = [await clientCertificate(), await clientCertificate()];
    const tls = { ...(await serverCertificate()), clientCa: ca };
    const options = { server: { tls }, client: { tls: { ca, ...first } } };
    await using loopback = await startLoopback(protocol, name, options);
    const before = await text(await loopback.send());
    const slow = loopback.send({ path: "/slow" });
    loopback.client.replaceTls({ ca, ...second });
    const after = await text(await loopback.send());
    assert.notEqual(after, before);
    go.resolve();
    assert.equal(await text(await slow), before);
  });

  test(`${protocol}: a client that closes waits for what is on its way`, async () => {
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    await using loopback = await startLoopback(protocol, async () => {
      asked.resolve();
      await go.promise;
      return { status: 200, headers: {}, body: bytes("late") };
    });
    const answer = loopback.send().then(text);
    await asked.promise;
    const closed = loopback.client.close();
    assert.equal((await failure(loopback.send())).code, "ClientClosed");
    go.resolve();
    assert.equal(await answer, "late");
    await closed;
  });

  test(`${protocol}: a client that is destroyed aborts what is on its way`, async () => {
    await using loopback = await startLoopback(protocol, () => ({
      status: 200,
      headers: {},
      body: () => new Promise(() => {}),
    }));
    const answer = await loopback.send();
    const read = failure(text(answer));
    await loopback.client.destroy();
    assert.equal((await read).stage, "body");
  });

  test(`${protocol}: a request that HTTP does not allow is refused before it is sent`, async () => {
    await using loopback = await startLoopback(protocol, namePort);
    const error = await failure(loopback.send({ headers: { a: "b\r\nc: d" } }));
    assert.equal(error.code, "InvalidRequest");
    assert.equal(error.stage, "connect");
  });
}

test("HTTP/2: after a GOAWAY the next request does not wait for a watch that goes on", async () => {
  const watching = Promise.withResolvers<ServerHttp2Stream>();
  const server = createSecureServer(await serverCertificate());
  server.on("stream", (stream, { ":path": path }) => {
    stream.on("error", () => {}).respond({ ":status": 200 });
    if (path === "/watch") watching.resolve(stream);
    else stream.end("next");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  {
    const origin = `https://127.0.0.1:${port}`;
    const tls = { ca: await trustedCa() };
    await using client = createHttpClient({ origin, tls, allowH2: true });
    const { body } = await client.handler(request({ path: "/watch" }));
    const stream = await watching.promise;
    stream.session?.close();
    // What is sent after the GOAWAY shows that the client has seen it.
    stream.write("event");
    await firstChunk(body);
    assert.equal(await text(await client.handler(request())), "next");
  }
  server.close();
});

/** Runs the body and goes on when its first bytes are there; the rest may break off. */
function firstChunk(body: Body): Promise<void> {
  return new Promise((resolve) => {
    const sink: Sink = {
      signal: new AbortController().signal,
      drained: () => Promise.resolve(),
      write: () => {
        resolve();
        return true;
      },
    };
    assert.ok(typeof body === "function");
    Promise.resolve(body(sink)).catch(() => {});
  });
}

test("a DELETE with a body leaves its connection for the next request", async () => {
  await using loopback = await startLoopback("HTTP/1.1", namePort, { client: { connections: 1 } });
  const send = async () => text(await loopback.send({ method: "DELETE", body: bytes("{}") }));
  assert.equal(await send(), await send());
});

test("expect, host and hop-by-hop headers are not passed on", async () => {
  await using loopback = await startLoopback("HTTP/1.1", ({ headers }) => ({
    status: 200,
    headers: {},
    body: bytes(JSON.stringify(headers)),
  }));
  const headers = {
    expect: "100-continue",
    host: "example.com",
    "keep-alive": "5",
    te: "trailers",
  };
  const answer = await loopback.send({
    headers: { ...headers, "content-length": "7", "x-kept": "1" },
  });
  const { host } = new URL(loopback.server.url);
  assert.deepEqual(JSON.parse(await text(answer)), { host, "x-kept": "1" });
});
