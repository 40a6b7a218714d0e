import assert from "node:assert/strict";
import { type Duplex, duplexPair } from "node:stream";
import { describe, test } from "node:test";
import { waitFor } from "@rookery/testing";
import { SpdyClient } from "../../../test/streaming/spdy/spdy-client.ts";
import {
  type StreamingScene,
  spdyHeaders,
  streamingScene,
  webSocketHeaders,
} from "../../../test/streaming/streaming.ts";
import { WebSocketClient } from "../../../test/streaming/websocket/websocket-client.ts";
import { opcodes } from "../websocket/frame-reader.ts";
import { messageStream } from "../websocket/web-socket.ts";

const target = "/api/v1/namespaces/ns/pods/web/portforward";
const soon = (what: string) => ({ what, interval: 2 });

/** What listens in the pod: it says its port, then everything that it hears. */
function echoing(scene: StreamingScene): Duplex[] {
  const servers: Duplex[] = [];
  scene.streams.connectTo = async (port) => {
    const [near, far] = duplexPair();
    servers.push(far);
    far.write(`port ${port}: `);
    far.pipe(far);
    return near;
  };
  return servers;
}

async function overSpdy(scene: StreamingScene): Promise<SpdyClient> {
  const asking = { method: "POST", headers: spdyHeaders("portforward.k8s.io") };
  return new SpdyClient(await scene.upgrade(target, asking));
}

async function openPair(client: SpdyClient, port: number, requestid?: string) {
  const headers = { port: String(port), ...(requestid && { requestid }) };
  const error = await client.open({ streamtype: "error", ...headers }, 1);
  const data = await client.open({ streamtype: "data", ...headers });
  return { error, data };
}

describe("port-forward by SPDY", () => {
  test("serves connections to several ports at once", async () => {
    await using scene = await streamingScene();
    echoing(scene);
    const client = await overSpdy(scene);
    const pairs: Awaited<ReturnType<typeof openPair>>[] = [];
    for (const port of [80, 81, 82]) pairs.push(await openPair(client, port, `r${port}`));
    for (const { data } of pairs) client.send(data, "hello", true);
    await waitFor(() => pairs.every(({ data }) => client.ended.has(data)), soon("all ends"));
    const heard = pairs.map(({ data }) => client.received.get(data));
    assert.deepEqual(heard, ["port 80: hello", "port 81: hello", "port 82: hello"]);
    await waitFor(() => pairs.every(({ error }) => client.ended.has(error)), soon("their errors"));
    assert.ok(pairs.every(({ error }) => (client.received.get(error) ?? "") === ""));
    client.peer.destroy();
  });

  test("tells in a kubelet's words why it can't, and goes on", async () => {
    await using scene = await streamingScene();
    const client = await overSpdy(scene);
    const refused = await openPair(client, 9, "1");
    await waitFor(() => client.ended.has(refused.error), soon("the error"));
    assert.equal(
      client.received.get(refused.error),
      "error forwarding port 9 to pod web, uid uid-web: refused",
    );
    await waitFor(() => client.reset.has(refused.data), soon("a reset"));
    echoing(scene);
    const good = await openPair(client, 80, "2");
    await waitFor(() => client.received.get(good.data) === "port 80: ", soon("an answer"));
    client.peer.destroy();
  });

  test("knows streams of old clients by their numbers", async () => {
    await using scene = await streamingScene();
    echoing(scene);
    const client = await overSpdy(scene);
    const { data } = await openPair(client, 80);
    await waitFor(() => client.received.get(data) === "port 80: ", soon("an answer"));
    client.peer.destroy();
  });

  test("resets streams that name no port, no type, or come twice", async () => {
    await using scene = await streamingScene();
    const client = await overSpdy(scene);
    const headers: Record<string, string>[] = [
      { streamtype: "data" },
      { streamtype: "data", port: "0" },
      { streamtype: "data", port: "65536" },
      { streamtype: "data", port: "x" },
      { streamtype: "other", port: "80" },
    ];
    const bad: number[] = [];
    for (const each of headers) bad.push(await client.open(each));
    await client.open({ streamtype: "error", port: "80", requestid: "1" });
    const twice = await client.open({ streamtype: "error", port: "80", requestid: "1" });
    await waitFor(() => [...bad, twice].every((id) => client.reset.has(id)), soon("resets"));
    client.peer.destroy();
  });

  test("a client that goes closes its connections, and one of them the others leave alone", async () => {
    await using scene = await streamingScene();
    const servers = echoing(scene);
    const client = await overSpdy(scene);
    const first = await openPair(client, 80, "1");
    const second = await openPair(client, 80, "2");
    await waitFor(() => client.received.size === 2, soon("answers"));
    client.cancel(first.data);
    await waitFor(() => servers[0]?.destroyed || servers[0]?.readableEnded, soon("the first end"));
    client.send(second.data, "more");
    await waitFor(() => client.received.get(second.data) === "port 80: more", soon("an answer"));
    client.peer.destroy();
    await waitFor(() => servers[1]?.destroyed || servers[1]?.readableEnded, soon("the second end"));
  });

  test("a thousand connections come and go on one session", async () => {
    await using scene = await streamingScene();
    echoing(scene);
    const client = await overSpdy(scene);
    for (let index = 0; index < 1_000; index += 1) {
      const { data } = await openPair(client, 80, String(index));
      client.send(data, "x", true);
    }
    await waitFor(() => client.ended.size === 2_000, soon("all ends"));
    client.peer.destroy();
  });
});

describe("port-forward by WebSocket", () => {
  test("tunnels SPDY", async () => {
    await using scene = await streamingScene();
    echoing(scene);
    const headers = webSocketHeaders("SPDY/3.1+portforward.k8s.io");
    const answer = await scene.answer(target, { headers });
    assert.equal(answer.headers["sec-websocket-protocol"], "SPDY/3.1+portforward.k8s.io");
    const [near, far] = duplexPair();
    answer.upgrade?.(far);
    const socket = new WebSocketClient(near);
    const tunnel = tunnelOver(socket);
    const client = new SpdyClient(tunnel);
    const { data } = await openPair(client, 80, "1");
    client.send(data, "hello", true);
    await waitFor(() => client.ended.has(data), soon("the end"));
    assert.equal(client.received.get(data), "port 80: hello");
    near.destroy();
  });

  test("has two channels for each port, which begin with it", async () => {
    await using scene = await streamingScene();
    echoing(scene);
    const headers = webSocketHeaders("v4.channel.k8s.io");
    const near = await scene.upgrade(`${target}?ports=80&ports=258`, { headers });
    const client = new WebSocketClient(near);
    client.sendOn(2, "hello");
    await waitFor(() => client.channel(2).endsWith("hello"), soon("an answer"));
    assert.equal(client.channel(0).slice(0, 2), "P\0");
    assert.equal(client.channel(2), "\x02\x01port 258: hello");
    near.destroy();
  });

  const refused: Record<string, [query: string, message: RegExp]> = {
    "without ports": ["", /query parameter \\"ports\\" is required/],
    "for a port that is none": ["?ports=x", /cannot convert to \[\]int32: strconv.ParseUint/],
    "for a port beyond all": ["?ports=70000", /value out of range/],
    "for port 0": ["?ports=0", /must be > 0/],
  };
  for (const [sentence, [query, message]] of Object.entries(refused)) {
    test(`is refused ${sentence}`, async () => {
      await using scene = await streamingScene();
      const answer = await scene.ask(`${target}${query}`, { headers: webSocketHeaders("") });
      assert.equal(answer.status, 400);
      assert.match(answer.text, message);
    });
  }
});

/** The other side of `messageStream`: bytes in, masked messages out. */
function tunnelOver(socket: WebSocketClient): Duplex {
  const [near, far] = duplexPair();
  near.on("data", (chunk: Buffer) => socket.send(chunk));
  let next = 0;
  const timer = setInterval(() => {
    for (; next < socket.messages.length; next += 1) {
      const { opcode, payload } = socket.messages[next] ?? { opcode: 0, payload: Buffer.alloc(0) };
      if (opcode === opcodes.binary) near.write(payload);
    }
    if (socket.isClosed) clearInterval(timer);
  }, 1);
  return far;
}

test("a tunnel that is closed is so on both sides", async () => {
  const [near, far] = duplexPair();
  const stream = messageStream(far);
  const client = new WebSocketClient(near);
  stream.end("bye");
  await client.whenClosed();
  assert.equal(client.messages[0]?.payload.toString(), "bye");
  assert.equal(client.closeCode, 1000);
});
