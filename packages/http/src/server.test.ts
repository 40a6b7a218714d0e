import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { protocols, startLoopback, startServer, text } from "../test/loopback.ts";
import { collectBody } from "./body.ts";
import { BodyLengthMismatchError, InvalidResponseError, PeerGoneError } from "./errors.ts";
import type { Handler, HttpRequest, HttpResponse } from "./message.ts";
import { peerKey } from "./peer.ts";

const bytes = (content: string): Uint8Array => new TextEncoder().encode(content);

/** Sends raw text to a plain server and gives all that comes back until it closes. */
async function exchangeRaw(port: number, message: string): Promise<string> {
  const socket: Socket = connect(port, "127.0.0.1");
  socket.write(message);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const responses: Record<string, [HttpResponse, expected: Partial<Record<string, string>>, string]> =
  {
    "bytes with their length": [
      { status: 201, headers: {}, body: bytes("abc") },
      { "content-length": "3" },
      "abc",
    ],
    "chunks with their length": [
      { status: 200, headers: {}, body: [bytes("a"), bytes("bc")] },
      { "content-length": "3" },
      "abc",
    ],
    "a writer's bytes without a length": [
      { status: 200, headers: {}, body: (sink) => void sink.write(bytes("abc")) },
      { "content-length": undefined },
      "abc",
    ],
    "a writer's bytes with the length it declares": [
      {
        status: 200,
        headers: { "content-length": "3" },
        body: (sink) => void sink.write(bytes("abc")),
      },
      { "content-length": "3" },
      "abc",
    ],
    nothing: [{ status: 404, headers: {} }, { "content-length": "0" }, ""],
    "no body with 204": [
      { status: 204, headers: {}, body: bytes("abc") },
      { "content-length": undefined },
      "",
    ],
    "no body with 304": [
      { status: 304, headers: { etag: "a" }, body: bytes("abc") },
      { etag: "a" },
      "",
    ],
    "no hop-by-hop headers": [
      {
        status: 200,
        headers: { "transfer-encoding": "chunked", "proxy-connection": "close", upgrade: "a" },
        body: bytes("abc"),
      },
      { "content-length": "3", "transfer-encoding": undefined, upgrade: undefined },
      "abc",
    ],
  };

for (const protocol of protocols) {
  for (const [name, [response, headers, body]] of Object.entries(responses)) {
    test(`${protocol}: a server answers ${name}`, async () => {
      await using loopback = await startLoopback(protocol, () => response);
      const answer = await loopback.send();
      assert.equal(answer.status, response.status);
      for (const [key, value] of Object.entries(headers)) assert.equal(answer.headers[key], value);
      assert.equal(await text(answer), body);
    });
  }

  test(`${protocol}: a handler sees the request as it was sent`, async () => {
    const seen = Promise.withResolvers<HttpRequest>();
    await using loopback = await startLoopback(protocol, async (request) => {
      seen.resolve(request);
      return { status: 200, headers: {}, body: await collectBody(request.body, { limit: 10 }) };
    });
    const answer = await loopback.send({
      method: "PUT",
      path: "/api/v1/a%2Fb",
      query: "x=1&y=%20",
      headers: { "x-one": "1", "impersonate-group": ["a", "b,c"] },
      body: (sink) => void sink.write(bytes("abc")),
    });
    assert.equal(await text(answer), "abc");
    const { method, path, query, headers } = await seen.promise;
    assert.deepEqual(
      { method, path, query },
      { method: "PUT", path: "/api/v1/a%2Fb", query: "x=1&y=%20" },
    );
    assert.equal(headers["x-one"], "1");
    assert.deepEqual(headers["impersonate-group"], ["a", "b,c"]);
    assert.equal(headers.host, new URL(loopback.server.url).host);
  });

  test(`${protocol}: the context tells the peer`, async () => {
    await using loopback = await startLoopback(protocol, ({ context }) => ({
      status: 200,
      headers: {},
      body: bytes(JSON.stringify(context.get(peerKey))),
    }));
    const peer = JSON.parse(await text(await loopback.send()));
    assert.equal(peer.address, "127.0.0.1");
    assert.equal(peer.protocol, protocol);
    assert.ok(peer.port > 0);
    assert.equal(peer.certificate, undefined);
  });

  test(`${protocol}: HEAD gets the headers of GET and no body`, async () => {
    await using loopback = await startLoopback(protocol, () => ({
      status: 200,
      headers: { "x-one": "1" },
      body: bytes("abc"),
    }));
    const answer = await loopback.send({ method: "HEAD" });
    assert.equal(answer.headers["content-length"], "3");
    assert.equal(answer.headers["x-one"], "1");
    assert.equal(answer.body, undefined);
  });

  test(`${protocol}: a handler that throws gives 500 without a word of the error`, async () => {
    const broken = new Error("secret");
    await using loopback = await startLoopback(protocol, () => Promise.reject(broken));
    const answer = await loopback.send();
    assert.equal(answer.status, 500);
    assert.equal(await text(answer), "Internal Server Error\n");
    assert.deepEqual(loopback.errors, [broken]);
  });

  const unsendable: Record<string, HttpResponse> = {
    "a header value with a line break": { status: 200, headers: { a: "b\r\nc: d" } },
    "a header value with a NUL": { status: 200, headers: { a: "b\0c\0d" } },
    "a header name with a space": { status: 200, headers: { "a b": "c" } },
    "a length that is none": { status: 200, headers: { "content-length": "abc" }, body: () => {} },
    "a status that is none": { status: 99, headers: {} },
    "an interim status": { status: 103, headers: {} },
    "an upgrade that nobody asked for": { status: 101, headers: {}, upgrade: () => {} },
  };
  for (const [name, response] of Object.entries(unsendable)) {
    test(`${protocol}: a response that cannot be sent gives 500: ${name}`, async () => {
      await using loopback = await startLoopback(protocol, () => response);
      const answer = await loopback.send();
      assert.equal(answer.status, 500);
      assert.ok(loopback.errors[0] instanceof InvalidResponseError);
    });
  }

  const breaking: Record<string, Handler> = {
    "a writer that throws after its first byte": () => ({
      status: 200,
      headers: {},
      body: async (sink) => {
        sink.write(bytes("abc"));
        await sink.drained();
        throw new Error("broken");
      },
    }),
    "a writer that throws at once": () => ({
      status: 200,
      headers: {},
      body: () => {
        throw new Error("broken");
      },
    }),
    "a writer that writes less than it declares": () => ({
      status: 200,
      headers: { "content-length": "4" },
      body: (sink) => void sink.write(bytes("abc")),
    }),
    "a writer that writes more than it declares": () => ({
      status: 200,
      headers: { "content-length": "2" },
      body: (sink) => void sink.write(bytes("abc")),
    }),
  };
  for (const [name, handler] of Object.entries(breaking)) {
    test(`${protocol}: the client sees an error, never a clean end, after ${name}`, async () => {
      await using loopback = await startLoopback(protocol, handler);
      await assert.rejects(
        async () => text(await loopback.send()),
        (error: { code?: string }) => error.code === "ConnectionLost",
      );
      assert.equal(loopback.errors.length, 1);
    });
  }

  test(`${protocol}: a handler that answers nothing at all harms nobody else`, async () => {
    const nothing = undefined as unknown as HttpResponse;
    await using loopback = await startLoopback(protocol, ({ path }) =>
      path === "/" ? { status: 200, headers: {} } : nothing,
    );
    await assert.rejects(loopback.send({ path: "/nothing" }), { code: "ConnectionLost" });
    assert.equal((await loopback.send()).status, 200);
    assert.equal(loopback.errors.length, 1);
  });

  test(`${protocol}: a client that leaves aborts the request and the sink`, async () => {
    const gone = Promise.withResolvers<unknown[]>();
    await using loopback = await startLoopback(protocol, (request) => ({
      status: 200,
      headers: {},
      body: async (sink) => {
        sink.write(bytes("abc"));
        await new Promise<void>((resolve) =>
          sink.signal.addEventListener("abort", () => resolve()),
        );
        const rejected = await sink.drained().catch((reason) => reason);
        gone.resolve([request.signal.reason, sink.signal.reason, rejected, sink.write(bytes("d"))]);
        throw rejected;
      },
    }));
    const leave = new AbortController();
    const answer = await loopback.send({ signal: leave.signal });
    leave.abort(new Error("left"));
    await assert.rejects(text(answer), /left/);
    const [request, sink, drained, written] = await gone.promise;
    assert.ok(request instanceof PeerGoneError);
    assert.equal(sink, request);
    assert.equal(drained, request);
    assert.equal(written, false);
    assert.deepEqual(loopback.errors, []);
  });

  test(`${protocol}: a client that leaves before the answer aborts the request`, async () => {
    const asked = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<unknown>();
    await using loopback = await startLoopback(protocol, ({ signal }) => {
      asked.resolve();
      signal.addEventListener("abort", () => gone.resolve(signal.reason));
      return new Promise(() => {});
    });
    const leave = new AbortController();
    const answer = loopback.send({ signal: leave.signal });
    await asked.promise;
    leave.abort(new Error("left"));
    await assert.rejects(answer, /left/);
    assert.ok((await gone.promise) instanceof PeerGoneError);
  });

  test(`${protocol}: a hundred requests at a time are all answered`, async () => {
    const arrived = Promise.withResolvers<void>();
    let waiting = 0;
    await using loopback = await startLoopback(protocol, async ({ path }) => {
      if (++waiting === 100) arrived.resolve();
      await arrived.promise;
      return { status: 200, headers: {}, body: bytes(path) };
    });
    const paths = Array.from({ length: 100 }, (_, i) => `/${i}`);
    const answers = paths.map(async (path) => text(await loopback.send({ path })));
    assert.deepEqual(await Promise.all(answers), paths);
  });
}

test("a client that waits for 100-continue is told to go on when its body is read", async () => {
  await using started = await startServer(async (request) => ({
    status: 200,
    headers: {},
    body: await collectBody(request.body, { limit: 10 }),
  }));
  const socket = connect(started.server.address.port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 3\r\n\r\n");
  let received = "";
  for await (const chunk of socket) {
    received += chunk;
    if (received === "HTTP/1.1 100 Continue\r\n\r\n") socket.write("abc");
    if (received.endsWith("abc")) break;
  }
  assert.match(received, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n/);
});

test("a client whose body is not wanted is not told to go on, and the connection ends", async () => {
  await using started = await startServer(() => ({ status: 401, headers: {} }));
  const head = "POST / HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 3\r\n\r\n";
  const received = await exchangeRaw(started.server.address.port, head);
  assert.match(received, /^HTTP\/1.1 401 /);
  assert.match(received, /connection: close/i);
});

const refused: Record<string, string> = {
  "a target that is none": "OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n",
  "no host": "GET / HTTP/1.1\r\nconnection: close\r\n\r\n",
  "two lengths": "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
  "length and chunks":
    "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
  "no HTTP at all": "hello\r\n\r\n",
};
const refusedOtherwise: Record<string, [message: string, answer: RegExp]> = {
  "a version that is none": ["GET / HTTP/9.9\r\nhost: a\r\n\r\n", /^HTTP\/1.1 505 /],
  "an unknown encoding": [
    "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip\r\n\r\n",
    /^HTTP\/1.1 501 .*Unsupported transfer encoding$/s,
  ],
};
for (const [name, [message, answer]] of Object.entries(refusedOtherwise)) {
  test(`a request is refused as Go's server refuses it: ${name}`, async () => {
    await using started = await startServer(() => assert.fail("it was asked"));
    assert.match(await exchangeRaw(started.server.address.port, message), answer);
  });
}

for (const [name, message] of Object.entries(refused)) {
  test(`a request is refused with 400 before the handler sees it: ${name}`, async () => {
    await using started = await startServer(() => assert.fail("it was asked"));
    assert.match(await exchangeRaw(started.server.address.port, message), /^HTTP\/1.1 400 /);
  });
}

test("an offer of HTTP/2 without TLS is overlooked, and the connection goes on", async () => {
  await using started = await startServer(({ path, headers }) => ({
    status: 200,
    headers: {},
    body: bytes(`${path} ${headers.upgrade}`),
  }));
  const socket = connect(started.server.address.port, "127.0.0.1");
  const offer = "connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAA\r\n";
  socket.write(`GET /one HTTP/1.1\r\nhost: a\r\n${offer}\r\n`);
  let received = "";
  for await (const chunk of socket) {
    received += chunk;
    if (received.endsWith("/one undefined")) socket.write("GET /two HTTP/1.1\r\nhost: a\r\n\r\n");
    if (received.endsWith("/two undefined")) break;
  }
});

test("a response that is longer than declared never reaches into the next one", async () => {
  await using started = await startServer(() => ({
    status: 200,
    headers: { "content-length": "2" },
    body: (sink) => void sink.write(bytes("abcdef")),
  }));
  const get = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";
  const received = await exchangeRaw(started.server.address.port, get + get);
  assert.doesNotMatch(received, /abc/);
  assert.ok(started.errors[0] instanceof BodyLengthMismatchError);
});

test("who asks for a head by a path that is no HTTP gets a head alone", async () => {
  await using started = await startServer(() => ({ status: 200, headers: {} }));
  const { port } = started.server.address;
  const ask = (method: string) => exchangeRaw(port, `${method} /ü HTTP/1.1\r\nhost: a\r\n\r\n`);
  assert.match(await ask("HEAD"), /^HTTP\/1\.1 400 .*\r\n\r\n$/s);
  assert.match(await ask("GET"), /^HTTP\/1\.1 400 .*\r\n\r\n400 Bad Request$/s);
});
