import assert from "node:assert/strict";
import { test } from "node:test";
import { clientCertificate, serverCertificate, trustedCa } from "../test/certificates.ts";
import { failure, request, startServer, text } from "../test/loopback.ts";
import { onHead, startRawServer } from "../test/raw-server.ts";
import { createHttpClient } from "./http-client.ts";
import type { Handler } from "./message.ts";

const ok: Handler = () => ({ status: 200, headers: {} });

test("a refused connection is told by its code, and the message names the request alone", async () => {
  const { port } = await freedPort();
  await using client = createHttpClient({ origin: `http://127.0.0.1:${port}` });
  const parts = { path: "/api", query: "token=secret", headers: { authorization: "secret" } };
  const error = await failure(client.handler(request(parts)));
  assert.equal(error.code, "ConnectionRefused");
  assert.equal(error.stage, "connect");
  assert.equal(error.message, `could not GET http://127.0.0.1:${port}/api: connection refused`);
  assert.equal((error.cause as NodeJS.ErrnoException).code, "ECONNREFUSED");
});

test("a key that is none is told by its code, without a word of it", async () => {
  await using started = await startServer(ok, { tls: await serverCertificate() });
  const tls = { cert: (await clientCertificate()).cert, key: "secret" };
  await using client = createHttpClient({ origin: started.server.url, tls });
  const error = await failure(client.handler(request()));
  assert.deepEqual([error.code, error.stage], ["TlsFailed", "connect"]);
  assert.doesNotMatch(error.message, /secret/);
});

async function freedPort(): Promise<{ port: number }> {
  await using server = await startRawServer(() => {});
  return { port: server.port };
}

test("a certificate of an authority that is not trusted is told by its code", async () => {
  await using started = await startServer(ok, { tls: await serverCertificate() });
  for (const allowH2 of [true, false]) {
    await using client = createHttpClient({ origin: started.server.url, allowH2 });
    const error = await failure(client.handler(request()));
    assert.equal(error.code, "TlsFailed");
    assert.equal(error.stage, "connect");
  }
});

test("a certificate for another name is told by its code, unless that name is asked for", async () => {
  const tls = await serverCertificate();
  await using started = await startServer(ok, { tls });
  const origin = started.server.url;
  const ca = await trustedCa();
  await using other = createHttpClient({ origin, tls: { ca, servername: "example.com" } });
  assert.equal((await failure(other.handler(request()))).code, "TlsFailed");
  await using same = createHttpClient({ origin, tls: { ca, servername: "localhost" } });
  assert.equal((await same.handler(request({ headers: { host: "example.com" } }))).status, 200);
});

test("a server that answers nothing is told as one that is late", async () => {
  await using silent = await startRawServer(() => {});
  await using client = createHttpClient({ origin: silent.origin, timeouts: { headers: 20 } });
  const error = await failure(client.handler(request()));
  assert.deepEqual([error.code, error.stage], ["TimedOut", "headers"]);
});

test("a body that stops coming is told as one that is late", async () => {
  await using server = await startRawServer((socket) =>
    onHead(socket, () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc")),
  );
  await using client = createHttpClient({ origin: server.origin, timeouts: { body: 20 } });
  const answer = await client.handler(request());
  const error = await failure(text(answer));
  assert.deepEqual([error.code, error.stage], ["TimedOut", "body"]);
});

const brokenAnswers: Record<string, [answer: string, code: string, stage: string]> = {
  "closes without an answer": ["", "ConnectionLost", "headers"],
  "closes in the middle of the head": ["HTTP/1.1 200 OK\r\nconte", "ConnectionLost", "headers"],
  "closes before the declared length": [
    "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc",
    "ConnectionLost",
    "body",
  ],
  "closes before the last chunk": [
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n",
    "ConnectionLost",
    "body",
  ],
  "speaks no HTTP": ["SSH-2.0-OpenSSH_9.6\r\n", "InvalidResponse", "headers"],
};
for (const [name, [answer, code, stage]] of Object.entries(brokenAnswers)) {
  test(`a server that ${name} is an error`, async () => {
    await using server = await startRawServer((socket) => onHead(socket, () => socket.end(answer)));
    await using client = createHttpClient({ origin: server.origin });
    const asked = (async () => text(await client.handler(request())))();
    const error = await failure(asked);
    assert.deepEqual([error.code, error.stage], [code, stage]);
  });
}
