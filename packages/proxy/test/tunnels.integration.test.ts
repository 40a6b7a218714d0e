import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { request as requestHttps } from "node:https";
import type { Duplex } from "node:stream";
import { describe, test } from "node:test";
import type { HttpRequest, HttpResponse } from "@rookery/http";
import { createWorld, ok } from "./passing-world.ts";

/** Switches to whatever is asked for, and sends back what it gets in capitals, until the end. */
function shouting({ headers }: HttpRequest): HttpResponse {
  return {
    status: 101,
    headers: { connection: "Upgrade", upgrade: headers.upgrade },
    upgrade(peer) {
      peer.on("data", (chunk: Buffer) => peer.write(chunk.toString().toUpperCase()));
      peer.on("end", () => peer.end("BYE"));
    },
  };
}

const path = "/api/v1/namespaces/a/pods/b/exec?command=sh";

async function switchProtocol(url: string, ca: string, protocol: string): Promise<Duplex> {
  const headers = { connection: "Upgrade", upgrade: protocol, authorization: "Bearer t0" };
  const asked = requestHttps(`${url}${path}`, { ca, method: "POST", headers, agent: false }).end();
  const [response, socket] = await once(asked, "upgrade");
  assert.equal(response.statusCode, 101);
  assert.equal(response.headers.upgrade, protocol);
  return socket;
}

async function readAll(stream: Duplex): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += chunk;
  return text;
}

describe("a switched protocol", () => {
  for (const protocol of ["SPDY/3.1", "websocket"]) {
    test(`${protocol} is tunnelled both ways, to the end of each`, async () => {
      await using world = await createWorld(shouting);
      const socket = await switchProtocol(world.proxy.appUrl, await world.proxy.ca(), protocol);
      socket.write("hello ");
      socket.end("world");
      assert.equal(await readAll(socket), "HELLO WORLDBYE");
      const [asked] = world.seen;
      assert.equal(asked?.headers.authorization, "Bearer t0");
      assert.equal(asked?.query, "command=sh");
    });
  }

  test("is tunnelled over HTTP/2 as well", async () => {
    await using world = await createWorld(shouting);
    await using stack = new AsyncDisposableStack();
    const session = connectHttp2(world.proxy.appUrl, { ca: await world.proxy.ca() });
    stack.defer(() => session.destroy());
    await once(session, "remoteSettings");
    const stream = session.request(
      { ":method": "CONNECT", ":protocol": "websocket", ":path": path, ":scheme": "https" },
      { endStream: false },
    );
    const [headers] = await once(stream, "response");
    assert.equal(headers[":status"], 200);
    stream.end("hello");
    assert.equal(await readAll(stream), "HELLOBYE");
  });

  test("is refused in the words of the API server", async () => {
    await using world = await createWorld(() => ({
      ...ok(Buffer.from('{"kind":"Status"}')),
      status: 403,
    }));
    const headers = { connection: "Upgrade", upgrade: "SPDY/3.1" };
    const ca = await world.proxy.ca();
    const asked = requestHttps(`${world.proxy.appUrl}${path}`, { ca, headers, agent: false }).end();
    const [response] = await once(asked, "response");
    assert.equal(response.statusCode, 403);
    assert.equal(await readAll(response), '{"kind":"Status"}');
  });

  test("ends when its client is cut off", async () => {
    const closed = Promise.withResolvers<void>();
    await using world = await createWorld(() => ({
      status: 101,
      headers: { connection: "Upgrade", upgrade: "SPDY/3.1" },
      upgrade: (peer) =>
        void peer
          .on("error", () => {})
          .on("close", () => closed.resolve())
          .resume(),
    }));
    const socket = await switchProtocol(world.proxy.appUrl, await world.proxy.ca(), "SPDY/3.1");
    socket.destroy();
    await closed.promise;
  });
});
