import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { serverCertificate, trustedCa } from "../test/certificates.ts";
import { openHttp2 } from "../test/http2-session.ts";
import { protocols, startLoopback, startServer, text } from "../test/loopback.ts";
import { collectBody } from "./body.ts";
import { PeerGoneError } from "./errors.ts";
import type { Handler } from "./message.ts";

const ok: Handler = () => ({ status: 200, headers: {}, body: Buffer.from("ok") });
const readAll: Handler = async ({ body }) => {
  await collectBody(body, { limit: 1000 });
  return { status: 200, headers: {} };
};

/** Everything that comes until the other side closes. */
async function untilClosed(socket: Socket): Promise<string> {
  let received = "";
  socket
    .on("error", () => {})
    .on("data", (chunk) => {
      received += chunk;
    });
  await new Promise((resolve) => socket.once("close", resolve));
  return received;
}

async function openTls(port: number, protocol: string): Promise<Socket> {
  const ALPNProtocols = [protocol];
  const socket = connectTls({ port, host: "127.0.0.1", ca: await trustedCa(), ALPNProtocols });
  await once(socket, "secureConnect");
  return socket;
}

/** Each test shortens only the time that it is about: on a busy machine the others take longer. */
const headersTimeout = 50;

test("a connection on which nothing comes is closed", async () => {
  await using started = await startServer(ok, { limits: { headersTimeout } });
  await untilClosed(connect(started.server.address.port, "127.0.0.1"));
});

test("HTTP/1.1: headers that come too slowly end the connection with 408", async () => {
  await using started = await startServer(ok, { limits: { headersTimeout } });
  const socket = connect(started.server.address.port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nhost: a\r\n");
  const drip = setInterval(() => socket.write("x: y\r\n"), 10);
  assert.match(await untilClosed(socket), /^HTTP\/1.1 408 /);
  clearInterval(drip);
});

test("HTTP/1.1 by TLS: headers that come too slowly end the connection", async () => {
  const options = { limits: { headersTimeout }, tls: await serverCertificate() };
  await using started = await startServer(ok, options);
  const socket = await openTls(started.server.address.port, "http/1.1");
  socket.write("GET / HTTP/1.1\r\nhost: a\r\n");
  assert.match(await untilClosed(socket), /^HTTP\/1.1 408 /);
});

test("a TLS handshake that does not begin is cut off", async () => {
  const options = { limits: { handshakeTimeout: 50 }, tls: await serverCertificate() };
  await using started = await startServer(ok, options);
  await untilClosed(connect(started.server.address.port, "127.0.0.1"));
});

test("a TLS handshake that comes too late is cut off, and no request on it answered", async () => {
  const options = { limits: { handshakeTimeout: 50 }, tls: await serverCertificate() };
  await using started = await startServer(ok, options);
  const raw = connect(started.server.address.port, "127.0.0.1").on("error", () => {});
  raw.resume();
  await sleep(150);
  // Most often it is closed by now; it would stay open for whoever is to be told something.
  if (raw.closed) return;
  const socket = connectTls({ socket: raw, ca: await trustedCa(), ALPNProtocols: ["http/1.1"] });
  socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  assert.equal(await untilClosed(socket), "");
});

test("HTTP/2: a connection that never asks is closed", async () => {
  const options = { limits: { headersTimeout }, tls: await serverCertificate() };
  await using started = await startServer(ok, options);
  await untilClosed(await openTls(started.server.address.port, "h2"));
});

test("HTTP/2: a connection that asks no more is closed", async () => {
  const options = { limits: { idleTimeout: 50 }, tls: await serverCertificate() };
  await using started = await startServer(ok, options);
  await using client = await openHttp2(started.server);
  client.session.request({ ":path": "/" }).resume();
  await once(client.session, "close");
});

test("HTTP/1.1: a body that comes too slowly ends the connection, and the handler hears of it", async () => {
  const read = Promise.withResolvers<unknown>();
  await using started = await startServer(
    (request) => {
      const reading = readAll(request);
      Promise.resolve(reading).catch(read.resolve);
      return reading;
    },
    // Headers that were late would not even reach the handler.
    { limits: { headersTimeout: 400, bodyTimeout: 50 } },
  );
  const socket = connect(started.server.address.port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\nabc");
  assert.match(await untilClosed(socket), /^HTTP\/1.1 408 /);
  assert.ok((await read.promise) instanceof PeerGoneError);
  assert.deepEqual(started.errors, []);
});

test("HTTP/2: a body that comes too slowly resets its stream, and the handler hears of it", async () => {
  const read = Promise.withResolvers<unknown>();
  const tls = await serverCertificate();
  await using started = await startServer(
    async ({ body }) => {
      await collectBody(body, { limit: 1000 }).catch(read.resolve);
      return { status: 200, headers: {} };
    },
    { limits: { bodyTimeout: 50 }, tls },
  );
  await using client = await openHttp2(started.server);
  const stream = client.session.request({ ":method": "POST" }, { endStream: false });
  stream.write("abc");
  await once(stream, "close");
  assert.equal(stream.rstCode, 8);
  const reason = await read.promise;
  assert.ok(reason instanceof PeerGoneError);
  assert.match(reason.message, /in time/);
});

for (const protocol of protocols) {
  test(`${protocol}: no limit of time ends a watch`, async () => {
    const beyond = Promise.withResolvers<void>();
    const limits = { headersTimeout: 400, bodyTimeout: 10, idleTimeout: 10 };
    const watch: Handler = () => ({
      status: 200,
      headers: {},
      body: async (sink) => {
        sink.write(Buffer.from("begin "));
        await beyond.promise;
        sink.write(Buffer.from("end"));
      },
    });
    await using loopback = await startLoopback(protocol, watch, { server: { limits } });
    const answer = text(await loopback.send());
    // A connection that never asks is closed when all those times are over.
    await untilClosed(await openTls(loopback.server.address.port, "h2"));
    beyond.resolve();
    assert.equal(await answer, "begin end");
  });
}

test("headers that are too large are refused by both protocols, and others are served", async () => {
  const options = { limits: { maxHeaderSize: 20_000 }, tls: await serverCertificate() };
  await using started = await startServer(ok, options);
  const filling = "x".repeat(15_000);
  const socket = await openTls(started.server.address.port, "http/1.1");
  socket.write(`GET / HTTP/1.1\r\nhost: a\r\na: ${filling}\r\nb: ${filling}\r\n\r\n`);
  assert.match(await untilClosed(socket), /^HTTP\/1.1 431 /);
  await using client = await openHttp2(started.server);
  const refused = client.session.request({ ":path": "/", a: filling, b: filling });
  const [error] = await once(refused, "error").catch((reason) => [reason]);
  assert.match(String(error), /ENHANCE_YOUR_CALM|INTERNAL_ERROR|COMPRESSION/);
  await using other = await openHttp2(started.server);
  const [headers] = await once(other.session.request({ ":path": "/", a: filling }), "response");
  assert.equal(headers[":status"], 200);
});

test("a flood of headers is answered, however much of it there is", async () => {
  await using started = await startServer(ok, { limits: { maxHeaderSize: 20_000 } });
  const socket = connect(started.server.address.port, "127.0.0.1");
  const header = `x: ${"x".repeat(1000)}\r\n`;
  socket.write(`GET / HTTP/1.1\r\nhost: a\r\n${header.repeat(5000)}\r\n`);
  assert.match(await untilClosed(socket), /^HTTP\/1.1 431 /);
});

test("HTTP/2: a client is told how many streams it may open, and sends more only after them", async () => {
  const tls = await serverCertificate();
  const go = Promise.withResolvers<void>();
  await using started = await startServer(
    async () => {
      await go.promise;
      return { status: 200, headers: {} };
    },
    { limits: { maxConcurrentStreams: 2 }, tls },
  );
  await using client = await openHttp2(started.server);
  assert.equal(client.session.remoteSettings.maxConcurrentStreams, 2);
  const streams = [1, 2, 3].map(() => client.session.request({ ":path": "/" }));
  const statuses = streams.map(async (stream) => (await once(stream, "response"))[0][":status"]);
  go.resolve();
  assert.deepEqual(await Promise.all(statuses), [200, 200, 200]);
});

test("connections beyond the limit are closed at once", async () => {
  await using started = await startServer(ok, { limits: { maxConnections: 1 } });
  const first = connect(started.server.address.port, "127.0.0.1");
  first.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  await once(first, "data");
  await untilClosed(connect(started.server.address.port, "127.0.0.1"));
  first.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  await once(first, "data");
  first.destroy();
});

test("HTTP/2: a client that opens and resets streams without end is sent away", async () => {
  let working = 0;
  let most = 0;
  const tls = await serverCertificate();
  await using started = await startServer(
    () => {
      most = Math.max(most, ++working);
      return new Promise(() => {});
    },
    { limits: { maxConcurrentStreams: 10 }, tls },
  );
  await using client = await openHttp2(started.server);
  const closed = new Promise((resolve) => client.session.once("close", resolve));
  const flood = () => {
    if (client.session.closed || client.session.destroyed) return;
    const cancel = new AbortController();
    client.session.request({ ":path": "/" }, { signal: cancel.signal }).on("error", () => {});
    // By then its headers are out.
    setImmediate(() => setImmediate(() => cancel.abort()));
    setImmediate(flood);
  };
  flood();
  await closed;
  assert.ok(most <= 20, `${most} handlers at a time`);
  await using other = await openHttp2(started.server);
  assert.equal(other.session.destroyed, false);
});
