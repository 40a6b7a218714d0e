import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { openHttp2 } from "../test/http2-session.ts";
import { protocols, request, startLoopback, startServer, text } from "../test/loopback.ts";
import { ListenError, ServerStoppedError } from "./errors.ts";
import { createHttpClient } from "./http-client.ts";
import type { Handler } from "./message.ts";
import { createHttpServer } from "./server.ts";

const bytes = (content: string): Uint8Array => new TextEncoder().encode(content);

/** Answers at once with a first event; the rest never comes. */
const watch: Handler = () => ({
  status: 200,
  headers: {},
  body: (sink) => {
    sink.write(bytes("event"));
    return new Promise((_, reject) =>
      sink.signal.addEventListener("abort", () => reject(sink.signal.reason)),
    );
  },
});

test("a server takes its time for what is on its way, and nothing new", async () => {
  for (const protocol of protocols) {
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    await using loopback = await startLoopback(protocol, async () => {
      asked.resolve();
      await go.promise;
      return { status: 200, headers: {}, body: bytes("late") };
    });
    const answer = loopback.send().then(text);
    await asked.promise;
    await using newcomer = createHttpClient({ origin: loopback.server.url });
    const closed = loopback.server.close();
    const refused = Promise.resolve(newcomer.handler(request()));
    await assert.rejects(refused, { code: "ConnectionRefused" });
    go.resolve();
    assert.equal(await answer, "late");
    await closed;
  }
});

test("a server closes idle connections at once", async () => {
  for (const protocol of protocols) {
    await using loopback = await startLoopback(protocol, () => ({ status: 200, headers: {} }));
    await loopback.send();
    await loopback.server.close();
  }
});

test("a server closes at once a connection on which nothing was ever asked", async () => {
  await using started = await startServer(() => ({ status: 200, headers: {} }));
  const socket = connect(started.server.address.port, "127.0.0.1");
  await once(socket, "connect");
  // The answer to a second connection shows that the first one is taken.
  const asked = connect(started.server.address.port, "127.0.0.1");
  asked.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  await once(asked, "data");
  await started.server.close();
  socket.destroy();
});

test("HTTP/1.1: an answer that ends after the close began tells the client to leave", async () => {
  const asked = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  await using started = await startServer(async () => {
    asked.resolve();
    await go.promise;
    return { status: 200, headers: {} };
  });
  const socket = connect(started.server.address.port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  await asked.promise;
  const closed = started.server.close();
  go.resolve();
  const [head] = await once(socket, "data");
  assert.match(String(head), /connection: close/i);
  await closed;
});

test("HTTP/1.1: a body that began before the close ends its connection when it is complete", async () => {
  const go = Promise.withResolvers<void>();
  await using loopback = await startLoopback("HTTP/1.1", () => ({
    status: 200,
    headers: {},
    body: async (sink) => {
      sink.write(bytes("begin "));
      await go.promise;
      sink.write(bytes("end"));
    },
  }));
  const answer = await loopback.send();
  const closed = loopback.server.close();
  go.resolve();
  assert.equal(await text(answer), "begin end");
  await closed;
});

test("HTTP/2: a client is told by GOAWAY, and its open stream goes on", async () => {
  const go = Promise.withResolvers<void>();
  await using loopback = await startLoopback("HTTP/2.0", async () => {
    await go.promise;
    return { status: 200, headers: {}, body: bytes("late") };
  });
  await using client = await openHttp2(loopback.server);
  const stream = client.session.request({ ":path": "/" });
  await new Promise<void>((resolve) => client.session.ping(() => resolve()));
  const closed = loopback.server.close();
  const [code] = await once(client.session, "goaway");
  assert.equal(code, 0);
  go.resolve();
  let received = "";
  for await (const chunk of stream) received += chunk;
  assert.equal(received, "late");
  await closed;
});

for (const protocol of protocols) {
  test(`${protocol}: a watch that never ends is broken off after the grace, never ended cleanly`, async () => {
    const reasons: unknown[] = [];
    await using loopback = await startLoopback(protocol, (request) => {
      request.signal.addEventListener("abort", () => reasons.push(request.signal.reason));
      return watch(request);
    });
    const answers = await Promise.all([loopback.send(), loopback.send(), loopback.send()]);
    const reads = answers.map((answer) =>
      assert.rejects(text(answer), { code: "ConnectionLost", stage: "body" }),
    );
    await loopback.server.close({ graceMs: 10 });
    await Promise.all(reads);
    assert.equal(reasons.length, 3);
    for (const reason of reasons) assert.ok(reason instanceof ServerStoppedError);
    assert.deepEqual(loopback.errors, []);
  });
}

test("a second close can shorten the grace", async () => {
  await using loopback = await startLoopback("HTTP/1.1", watch);
  const read = text(await loopback.send());
  const patient = loopback.server.close({ graceMs: 1_000_000 });
  await Promise.all([patient, loopback.server.close({ graceMs: 0 }), assert.rejects(read)]);
});

test("a server that never listened can be closed", async () => {
  const server = createHttpServer({ handler: () => assert.fail(), onError: assert.ifError });
  await server.close();
});

test("a port in use is told with the address and the way out", async () => {
  await using started = await startServer(() => ({ status: 200, headers: {} }));
  const { port } = started.server.address;
  await using second = createHttpServer({ handler: () => assert.fail(), onError: assert.ifError });
  await assert.rejects(second.listen({ host: "127.0.0.1", port }), (error) => {
    assert.ok(error instanceof ListenError);
    assert.equal(error.code, "AddressInUse");
    assert.equal(error.port, port);
    assert.equal(
      error.message,
      `could not listen on 127.0.0.1:${port}: something else listens there; stop it, or choose another port (0 takes any free one)`,
    );
    return true;
  });
  await second.listen({ host: "127.0.0.1", port: 0 });
});

test("an address that is not this machine's is told by its code", async () => {
  await using server = createHttpServer({ handler: () => assert.fail(), onError: assert.ifError });
  const listening = server.listen({ host: "192.0.2.1", port: 0 });
  await assert.rejects(listening, { code: "ListenFailed", host: "192.0.2.1" });
});

test("a server tells where it can be reached", async () => {
  await using any = createHttpServer({ handler: () => assert.fail(), onError: assert.ifError });
  assert.throws(() => any.address, /does not listen/);
  await any.listen({ host: "0.0.0.0", port: 0 });
  assert.equal(any.url, `http://localhost:${any.address.port}`);
});
