import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type Duplex, duplexPair } from "node:stream";
import { test } from "node:test";
import { serverCertificate, trustedCa } from "../test/certificates.ts";
import { openHttp2 } from "../test/http2-session.ts";
import { protocols, request, startLoopback, startServer, text } from "../test/loopback.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";
import type { Handler, HttpRequest } from "./message.ts";

/** Switches to a protocol that sends back what it gets, after a greeting. */
const echo: Handler = ({ headers }) => ({
  status: 101,
  headers: { upgrade: headers.upgrade, "x-protocol-version": "v4" },
  upgrade: (peer) => {
    peer.write("hello ");
    peer.pipe(peer);
  },
});

const upgrading = { headers: { connection: "Upgrade", upgrade: "SPDY/3.1" } };

/** The other end of a joined stream. */
async function join(client: HttpClient, parts: Partial<HttpRequest> = upgrading): Promise<Duplex> {
  const answer = await client.handler(request(parts));
  assert.equal(answer.status, 101);
  const [near, far] = duplexPair();
  answer.upgrade?.(far);
  return near;
}

async function readAll(stream: Duplex): Promise<string> {
  let received = "";
  for await (const chunk of stream) received += chunk;
  return received;
}

async function readUntil(stream: Duplex, ending: string): Promise<void> {
  let received = "";
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    received += chunk;
    if (received.endsWith(ending)) return;
  }
  assert.fail(`it ended with ${received}`);
}

for (const protocol of protocols) {
  test(`${protocol}: a client and a server switch the protocol and exchange bytes both ways`, async () => {
    await using loopback = await startLoopback(protocol, echo);
    const answer = await loopback.send({ ...upgrading, method: "POST" });
    assert.equal(answer.status, 101);
    assert.equal(answer.headers.upgrade, "SPDY/3.1");
    assert.equal(answer.headers["x-protocol-version"], "v4");
    const [near, far] = duplexPair();
    answer.upgrade?.(far);
    near.end("abc");
    assert.equal(await readAll(near), "hello abc");
  });

  test(`${protocol}: a proxy tunnels by nothing more than returning the response`, async () => {
    await using upstream = await startLoopback(protocol, echo);
    await using proxy = await startLoopback(protocol, (asked) => upstream.client.handler(asked));
    const stream = await join(proxy.client);
    const long = Buffer.alloc(3_000_000, "x").toString();
    stream.end(long);
    const received = await readAll(stream);
    assert.ok(received === `hello ${long}`, `${received.length} bytes came back`);
  });

  test(`${protocol}: a refused upgrade is an ordinary answer`, async () => {
    const refuse: Handler = () => ({ status: 403, headers: {}, body: Buffer.from("no") });
    await using upstream = await startLoopback(protocol, refuse);
    await using proxy = await startLoopback(protocol, (asked) => upstream.client.handler(asked));
    const answer = await proxy.send(upgrading);
    assert.equal(answer.status, 403);
    assert.equal(answer.upgrade, undefined);
    assert.equal(await text(answer), "no");
  });

  test(`${protocol}: the end of either side reaches the other through a proxy`, async () => {
    const sides: Duplex[] = [];
    const keep: Handler = (asked) => ({
      status: 101,
      headers: { upgrade: asked.headers.upgrade },
      upgrade: (peer) => void sides.push(peer.on("error", () => {}).resume()),
    });
    await using upstream = await startLoopback(protocol, keep);
    await using proxy = await startLoopback(protocol, (asked) => upstream.client.handler(asked));
    const [first, second] = [await join(proxy.client), await join(proxy.client)];
    const [firstPeer, secondPeer] = sides;
    assert.ok(firstPeer && secondPeer);
    const ended = once(firstPeer, "end");
    first.resume().end();
    await ended;
    secondPeer.end();
    await once(second.resume(), "end");
  });
}

test("a client that resets its connection closes the one behind the proxy", async () => {
  const closed = Promise.withResolvers<void>();
  await using upstream = await startServer(() => ({
    status: 101,
    headers: { upgrade: "test" },
    upgrade: (peer) => {
      peer
        .on("error", () => {})
        .resume()
        .once("close", () => closed.resolve());
      peer.write("ready");
    },
  }));
  await using client = createHttpClient({ origin: upstream.server.url });
  await using proxy = await startServer((asked) => client.handler(asked));
  const socket = connect(proxy.server.address.port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: test\r\n\r\n");
  await readUntil(socket, "ready");
  socket.resetAndDestroy();
  await closed.promise;
});

test("a handler that throws at an upgrade gives 500", async () => {
  await using loopback = await startLoopback("HTTP/1.1", () => Promise.reject(new Error("broken")));
  assert.equal((await loopback.send(upgrading)).status, 500);
  assert.equal(loopback.errors.length, 1);
});

test("a header that cannot be sent with 101 gives 500, and the upstream is let go", async () => {
  const closed = Promise.withResolvers<void>();
  await using upstream = await startServer(() => ({
    status: 101,
    headers: { upgrade: "test" },
    upgrade: (peer) => peer.resume().once("close", () => closed.resolve()),
  }));
  await using client = createHttpClient({ origin: upstream.server.url });
  await using proxy = await startLoopback("HTTP/1.1", async (asked) => {
    const answer = await client.handler(asked);
    return { ...answer, headers: { a: "b\r\nc: d" } };
  });
  assert.equal((await proxy.send(upgrading)).status, 500);
  await closed.promise;
});

test("bytes that come together with the request belong to the new protocol", async () => {
  await using started = await startServer(echo);
  const socket: Socket = connect(started.server.address.port, "127.0.0.1");
  const head = "GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: test\r\n\r\n";
  socket.end(`${head}early`);
  const received = await readAll(socket);
  assert.match(received, /^HTTP\/1.1 101 Switching Protocols\r\n/);
  assert.match(received, /\r\n\r\nhello early$/);
});

test("an extended CONNECT of HTTP/2 reaches the handler as an upgrade, and a proxy's upstream too", async () => {
  const seen = Promise.withResolvers<HttpRequest>();
  await using upstream = await startServer((asked) => {
    seen.resolve(asked);
    return echo(asked);
  });
  await using client = createHttpClient({ origin: upstream.server.url });
  const tls = await serverCertificate();
  await using proxy = await startServer((asked) => client.handler(asked), { tls });
  await using http2 = await openHttp2(proxy.server);
  const stream = http2.session.request(
    { ":method": "CONNECT", ":protocol": "websocket", ":path": "/exec?stdin=true" },
    { endStream: false },
  );
  const [headers] = await once(stream, "response");
  assert.equal(headers[":status"], 200);
  assert.equal(headers["x-protocol-version"], "v4");
  stream.end("abc");
  assert.equal(await readAll(stream), "hello abc");
  const { method, path, query, headers: asked } = await seen.promise;
  assert.deepEqual(
    [method, path, query, asked.upgrade],
    ["GET", "/exec", "stdin=true", "websocket"],
  );
  assert.match(String(asked["sec-websocket-key"]), /^[A-Za-z0-9+/]{22}==$/);
});

test("an abort before the join closes the upstream's connection", async () => {
  const closed = Promise.withResolvers<void>();
  await using loopback = await startLoopback("HTTP/1.1", () => ({
    status: 101,
    headers: { upgrade: "test" },
    upgrade: (peer) => peer.resume().once("close", () => closed.resolve()),
  }));
  const leave = new AbortController();
  await loopback.send({ ...upgrading, signal: leave.signal });
  leave.abort(new Error("left"));
  await closed.promise;
});

for (const end of ["client", "server"]) {
  test(`a ${end} that is stopped closes what it has switched, on both sides`, async () => {
    const closed = Promise.withResolvers<void>();
    await using loopback = await startLoopback("HTTP/1.1", () => ({
      status: 101,
      headers: { upgrade: "test" },
      upgrade: (peer) => peer.resume().once("close", () => closed.resolve()),
    }));
    const answer = await loopback.send(upgrading);
    const [near, far] = duplexPair({ allowHalfOpen: false });
    near.resume();
    answer.upgrade?.(far);
    const gone = new Promise((resolve) => far.once("close", resolve));
    if (end === "client") await loopback.client.destroy();
    else await loopback.server.close({ graceMs: 10 });
    await Promise.all([closed.promise, gone]);
  });
}

test("a switched protocol waits for its slow reader", async () => {
  let written = 0;
  const full = Promise.withResolvers<void>();
  const flood: Handler = () => ({
    status: 101,
    headers: { upgrade: "test" },
    upgrade: (peer) => {
      const fill = () => {
        while (!peer.destroyed && peer.write(Buffer.alloc(64 * 1024))) written += 64 * 1024;
        full.resolve();
      };
      peer.on("error", () => {}).on("drain", fill);
      fill();
    },
  });
  await using upstream = await startLoopback("HTTP/1.1", flood);
  const tls = { ca: await trustedCa() };
  await using client = createHttpClient({ origin: upstream.server.url, tls });
  const stream = await join(client);
  await full.promise;
  assert.ok(written < 50_000_000, `${written} bytes were taken`);
  stream.destroy();
});
