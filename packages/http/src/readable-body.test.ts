import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import type { ClientHttp2Stream } from "node:http2";
import { connect } from "node:net";
import { test } from "node:test";
import { serverCertificate } from "../test/certificates.ts";
import { openHttp2 } from "../test/http2-session.ts";
import { startLoopback, startServer, type TestServer } from "../test/loopback.ts";
import { collectBody, writeBody } from "./body.ts";
import { BodyUsedError, PeerGoneError } from "./errors.ts";
import type { Body, Handler } from "./message.ts";

const bytes = (content: string): Uint8Array => new TextEncoder().encode(content);

function disposableAgent(): Agent & Disposable {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return Object.assign(agent, { [Symbol.dispose]: () => agent.destroy() });
}

const echo: Handler = async (request) => ({
  status: 200,
  headers: {},
  body: await collectBody(request.body, { limit: 1 << 20 }),
});

async function startSecure(handler: Handler): Promise<TestServer> {
  return startServer(handler, { tls: await serverCertificate() });
}

async function answerOf(stream: ClientHttp2Stream): Promise<{ status: number; body: string }> {
  const [headers] = await once(stream, "response");
  let body = "";
  for await (const chunk of stream) body += chunk;
  return { status: headers[":status"], body };
}

const piece = Buffer.alloc(50_000, "a");
const bodies: Record<string, [Body, length: number]> = {
  bytes: [piece, 50_000],
  chunks: [[piece, piece], 100_000],
  "a writer": [(sink) => writeBody(Array(5).fill(piece), sink), 250_000],
};
for (const [name, [body, length]] of Object.entries(bodies)) {
  test(`HTTP/1.1: a body that was sent as ${name} is read whole`, async () => {
    await using loopback = await startLoopback("HTTP/1.1", echo);
    const answer = await loopback.send({ method: "POST", body });
    assert.equal((await collectBody(answer.body, { limit: 1 << 20 })).byteLength, length);
  });
}

test("HTTP/2: a body in several pieces is read whole", async () => {
  await using started = await startSecure(echo);
  await using client = await openHttp2(started.server);
  const stream = client.session.request({ ":method": "POST" }, { endStream: false });
  stream.write("abc");
  stream.end("def");
  assert.deepEqual(await answerOf(stream), { status: 200, body: "abcdef" });
});

test("HTTP/2: a client that waits for 100-continue is told to go on", async () => {
  await using started = await startSecure(echo);
  await using client = await openHttp2(started.server);
  const head = { ":method": "POST", expect: "100-continue" };
  const stream = client.session.request(head, { endStream: false });
  stream.once("continue", () => stream.end("abc"));
  assert.deepEqual(await answerOf(stream), { status: 200, body: "abc" });
});

test("HTTP/1.1: a body that breaks off is never taken for a whole one", async () => {
  const read = Promise.withResolvers<unknown>();
  await using loopback = await startLoopback("HTTP/1.1", async (request) => {
    await collectBody(request.body, { limit: 100 }).then(read.resolve, read.reject);
    return { status: 200, headers: {} };
  });
  const broken = new Error("broken");
  const answer = loopback.send({
    method: "POST",
    body: async (sink) => {
      sink.write(bytes("abc"));
      await sink.drained();
      throw broken;
    },
  });
  await assert.rejects(answer, (error: Error & { code?: string }) => {
    assert.equal(error.code, "BodyFailed");
    assert.equal(error.cause, broken);
    return true;
  });
  await assert.rejects(read.promise, PeerGoneError);
});

/** Not by `stream.close`, which would end the stream cleanly before it resets it. */
const resets: Record<string, (stream: ClientHttp2Stream, cancel: AbortController) => void> = {
  CANCEL: (_, cancel) => cancel.abort(),
  NO_ERROR: (stream) => stream.destroy(),
  INTERNAL_ERROR: (stream) => stream.destroy(new Error("broken")),
};
for (const [name, reset] of Object.entries(resets)) {
  test(`HTTP/2: a body that breaks off with ${name} is never taken for a whole one`, async () => {
    const reading = Promise.withResolvers<void>();
    const read = Promise.withResolvers<unknown>();
    await using started = await startSecure(async (request) => {
      const collected = collectBody(request.body, { limit: 100 });
      reading.resolve();
      await collected.then(read.resolve, read.reject);
      return { status: 200, headers: {} };
    });
    await using client = await openHttp2(started.server);
    const cancel = new AbortController();
    const options = { endStream: false, signal: cancel.signal };
    const stream = client.session.request({ ":method": "POST" }, options).on("error", () => {});
    stream.write("abc");
    await reading.promise;
    reset(stream, cancel);
    await assert.rejects(read.promise, PeerGoneError);
  });
}

test("a body that is too large can be refused with an answer", async () => {
  const refuse: Handler = async (request) => {
    const error = await collectBody(request.body, { limit: 1000 }).catch((reason) => reason);
    return { status: error.code === "BodyTooLarge" ? 413 : 500, headers: {} };
  };
  await using loopback = await startLoopback("HTTP/1.1", refuse);
  for (const size of [100_000, 10_000]) {
    assert.equal((await loopback.send({ method: "POST", body: Buffer.alloc(size) })).status, 413);
  }
  await using client = await openHttp2(loopback.server);
  const stream = client.session.request({ ":method": "POST" }, { endStream: false });
  stream.write(Buffer.alloc(100_000));
  assert.deepEqual(await answerOf(stream), { status: 413, body: "" });
});

test("HTTP/1.1: a short body that nobody reads leaves the connection for the next request", async () => {
  await using started = await startServer(({ path }) => ({
    status: 404,
    headers: {},
    body: bytes(path),
  }));
  const socket = connect(started.server.address.port, "127.0.0.1");
  const head = (path: string) =>
    `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\n`;
  socket.write(head("/one"));
  socket.write(Buffer.alloc(100_000));
  let received = "";
  for await (const chunk of socket) {
    received += chunk;
    if (received.endsWith("/one"))
      socket.write(Buffer.concat([bytes(head("/two")), Buffer.alloc(100_000)]));
    if (received.endsWith("/two")) break;
  }
});

for (const [name, heading] of Object.entries({
  "by its length": "content-length: 1000000\r\n\r\n",
  "in chunks": "transfer-encoding: chunked\r\n\r\nf4240\r\n",
  "after a request to switch":
    "connection: Upgrade\r\nupgrade: x\r\ncontent-length: 1000000\r\n\r\n",
})) {
  test(`HTTP/1.1: a client whose long body nobody reads is told that its connection ends: ${name}`, async () => {
    await using started = await startServer(() => ({ status: 404, headers: {} }));
    const socket = connect(started.server.address.port, "127.0.0.1").on("error", () => {});
    socket.write(`POST / HTTP/1.1\r\nhost: a\r\n${heading}`);
    socket.write(Buffer.alloc(1_000_000));
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    await new Promise((resolve) => socket.once("close", resolve));
    assert.match(received, /^HTTP\/1.1 404 /);
    assert.match(received, /\r\nconnection: close\r\n/i);
  });
}

test("HTTP/1.1: requests after long bodies that nobody reads are answered, on kept connections", async () => {
  await using started = await startServer(() => ({ status: 404, headers: {} }));
  using agent = disposableAgent();
  const { port } = started.server.address;
  for (let i = 0; i < 20; i++) {
    for (const size of [1_000_000, 10]) {
      const sent = httpRequest({ port, agent, host: "127.0.0.1", method: "POST" });
      sent.end(Buffer.alloc(size));
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      await once(answer.resume(), "end");
      assert.equal(answer.statusCode, 404);
    }
  }
});

test("HTTP/1.1: a client that sends on and on after its answer is cut off", async () => {
  await using started = await startServer(() => ({ status: 404, headers: {} }));
  const socket = connect(started.server.address.port, "127.0.0.1").on("error", () => {});
  socket.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100000000\r\n\r\n");
  let sent = 0;
  const send = () => {
    while (!socket.destroyed && socket.write(Buffer.alloc(64 * 1024))) sent += 64 * 1024;
  };
  socket.on("drain", send).resume();
  send();
  await new Promise((resolve) => socket.once("close", resolve));
  assert.ok(sent < 50_000_000, `it took ${sent} bytes`);
});

test("HTTP/2: the rest of a body that nobody reads is refused when the answer is out", async () => {
  await using started = await startSecure(() => ({ status: 404, headers: {} }));
  await using client = await openHttp2(started.server);
  const stream = client.session.request({ ":method": "POST" }, { endStream: false });
  stream.write("abc");
  assert.deepEqual(await answerOf(stream), { status: 404, body: "" });
  if (!stream.closed) await once(stream, "close");
  assert.equal(stream.rstCode, 0);
});

test("a request's body can be read once", async () => {
  await using loopback = await startLoopback("HTTP/1.1", async ({ body }) => {
    await collectBody(body, { limit: 10 });
    await assert.rejects(collectBody(body, { limit: 10 }), BodyUsedError);
    return { status: 204, headers: {} };
  });
  assert.equal((await loopback.send({ method: "POST", body: bytes("abc") })).status, 204);
});

test("a slow reader of a request's body pauses its sender", async () => {
  const go = Promise.withResolvers<void>();
  const read = Promise.withResolvers<number>();
  await using started = await startSecure(async ({ body }) => {
    let length = 0;
    assert.ok(typeof body === "function");
    await body({
      signal: new AbortController().signal,
      write: (chunk) => {
        length += chunk.byteLength;
        return false;
      },
      drained: () => go.promise,
    });
    read.resolve(length);
    return { status: 204, headers: {} };
  });
  await using client = await openHttp2(started.server);
  const stream = client.session.request({ ":method": "POST" }, { endStream: false });
  const size = 20_000_000;
  let flushed = false;
  stream.end(Buffer.alloc(size), () => {
    flushed = true;
  });
  await new Promise<void>((resolve) => client.session.ping(() => resolve()));
  assert.equal(flushed, false);
  go.resolve();
  assert.equal(await read.promise, size);
});
