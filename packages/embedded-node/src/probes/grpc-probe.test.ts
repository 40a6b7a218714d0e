import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { checkGrpc } from "./grpc-probe.ts";

const address = "127.0.0.1";

type Answer = (stream: ServerHttp2Stream, question: Buffer) => void;

/** Asks a server that answers so. */
async function probe(answer: Answer, service = "", timeoutSeconds = 5) {
  const server = createServer();
  server.on("stream", async (stream, headers) => {
    assert.equal(headers[":path"], "/grpc.health.v1.Health/Check");
    const chunks: Buffer[] = await stream.toArray();
    answer(stream, Buffer.concat(chunks));
  });
  server.listen(0, address);
  await once(server, "listening");
  try {
    return await ask((server.address() as AddressInfo).port, service, timeoutSeconds);
  } finally {
    server.close();
  }
}

function ask(port: number, service = "", timeoutSeconds = 5) {
  const signal = AbortSignal.timeout(timeoutSeconds * 1000);
  return checkGrpc({ port, service }, { address, timeoutSeconds, signal });
}

/** An answer of this status, as servers of gRPC send it. */
const says =
  (...message: readonly number[]): Answer =>
  (stream) => {
    stream.respond(
      { ":status": 200, "content-type": "application/grpc" },
      { waitForTrailers: true },
    );
    stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.end(Buffer.of(0, 0, 0, 0, message.length, ...message));
  };

const refuses =
  (code: number, text: string): Answer =>
  (stream) =>
    stream.respond(
      { ":status": 200, "grpc-status": String(code), "grpc-message": encodeURIComponent(text) },
      { endStream: true },
    );

describe("a gRPC probe", () => {
  it("succeeds where the service serves", async () => {
    assert.equal(await probe(says(0x08, 1)), undefined);
  });

  it("asks for the service that it names, however long its name", async () => {
    const name = "s".repeat(200);
    let asked: Buffer = Buffer.alloc(0);
    await probe((stream, question) => {
      asked = question;
      says(0x08, 1)(stream, question);
    }, name);
    assert.deepEqual([...asked.subarray(0, 8)], [0, 0, 0, 0, 203, 0x0a, 0xc8, 0x01]);
    assert.equal(asked.subarray(8).toString(), name);
  });

  it("tells what the service says of itself", async () => {
    assert.equal(await probe(says(0x08, 2)), 'service unhealthy (responded with "NOT_SERVING")');
    assert.equal(await probe(says()), 'service unhealthy (responded with "UNKNOWN")');
  });

  it("tells why it was not answered", async () => {
    assert.equal(
      await probe(refuses(5, "unknown service")),
      "error: health rpc probe failed: rpc error: code = NotFound desc = unknown service",
    );
    assert.equal(
      await probe(refuses(12, "no such thing")),
      "error: this server does not implement the grpc health protocol (grpc.health.v1.Health): no such thing",
    );
  });

  it("gives up when its time is over", async () => {
    const failure = await probe(() => {}, "", 1);
    assert.equal(failure, "timeout: health rpc did not complete within 1s");
  });

  it("tells that nobody listens", async () => {
    const server = createServer();
    server.listen(0, address);
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    assert.equal(
      await ask(port),
      `timeout: failed to connect service "${address}:${port}" within 5s: context deadline exceeded`,
    );
  });
});
