import assert from "node:assert/strict";
import { once } from "node:events";
import { type Duplex, duplexPair } from "node:stream";
import { describe, test } from "node:test";
import { constants, createInflate } from "node:zlib";
import { waitFor } from "@rookery/testing";
import { finFlag, SpdyClient } from "../../../test/streaming/spdy/spdy-client.ts";
import { frameTypes } from "./frame-reader.ts";
import { emptyHeaderBlock, headerDictionary } from "./header-inflater.ts";
import { SpdyConnection, type SpdyStream } from "./spdy-connection.ts";

interface Opened {
  readonly client: SpdyClient;
  readonly connection: SpdyConnection;
  readonly streams: SpdyStream[];
}

function open(accepts: (type: string) => boolean = () => true): Opened {
  const [near, far] = duplexPair();
  const streams: SpdyStream[] = [];
  const connection = new SpdyConnection(far, {
    accepts: (headers) => accepts(headers.get("streamtype") ?? ""),
    onStream: (stream) => streams.push(stream),
  });
  return { client: new SpdyClient(near), connection, streams };
}

const what = (text: string) => ({ what: text, interval: 2 });

async function opened(scene: Opened, type = "data"): Promise<SpdyStream> {
  const id = await scene.client.open({ streamtype: type });
  await waitFor(() => scene.client.replied.has(id), what("a reply"));
  return scene.streams.find((each) => each.id === id) as SpdyStream;
}

describe("SPDY/3.1", () => {
  test("the dictionary is that of the protocol", () => {
    // What zlib names a dictionary by.
    let [a, b] = [1, 0];
    for (const byte of headerDictionary) {
      a = (a + byte) % 65_521;
      b = (b + a) % 65_521;
    }
    assert.equal(((b << 16) | a) >>> 0, 0xe3c6a7c2);
  });

  test("the empty headers of replies are read by zlib, one after another", async () => {
    const inflate = createInflate({ dictionary: headerDictionary, flush: constants.Z_SYNC_FLUSH });
    const chunks: Buffer[] = [];
    inflate.on("data", (chunk) => chunks.push(chunk));
    for (const isFirst of [true, false, false]) inflate.write(emptyHeaderBlock(isFirst));
    await waitFor(() => Buffer.concat(chunks).length === 12, what("three counts"));
    assert.ok(Buffer.concat(chunks).every((byte) => byte === 0));
    inflate.destroy();
  });

  test("headers are read, also of the thousandth stream", async () => {
    const scene = open();
    for (let index = 0; index < 1_000; index += 1) {
      const id = await scene.client.open({ streamtype: "data", port: String(index) });
      scene.client.cancel(id);
    }
    await waitFor(() => scene.streams.length === 1_000, what("all streams"));
    assert.ok(scene.streams.every(({ headers }, index) => headers.get("port") === String(index)));
    await waitFor(() => scene.streams.every(({ stream }) => stream.destroyed), what("their ends"));
    scene.connection.close();
  });

  test("both sides speak and end for themselves", async () => {
    const scene = open();
    const { id, stream } = await opened(scene);
    scene.client.send(id, "hello", true);
    const heard = await stream.toArray();
    assert.equal(Buffer.concat(heard).toString(), "hello");
    stream.end("goodbye");
    await waitFor(() => scene.client.ended.has(id), what("the end"));
    assert.equal(scene.client.received.get(id), "goodbye");
    assert.equal(scene.client.reset.has(id), false);
    scene.connection.close();
    await scene.client.whenClosed();
    assert.ok(scene.client.isGoingAway);
  });

  test("a stream that is opened with its end has nothing to say", async () => {
    const scene = open();
    await scene.client.open({ streamtype: "error" }, finFlag);
    await waitFor(() => scene.streams.length === 1, what("the stream"));
    assert.deepEqual(await scene.streams[0]?.stream.toArray(), []);
    scene.connection.close();
  });

  test("streams that are not wanted, or have no number of their own, are reset", async () => {
    const scene = open((type) => type === "data");
    const other = await scene.client.open({ streamtype: "other" });
    await waitFor(() => scene.client.reset.has(other), what("a reset"));
    const { id } = await opened(scene);
    await scene.client.openAs(id, { streamtype: "data" });
    await waitFor(() => scene.client.reset.has(id), what("a reset"));
    assert.equal(scene.streams.length, 1);
    scene.connection.close();
  });

  test("a ping is answered, and its own answers are none", async () => {
    const scene = open();
    scene.client.frame(frameTypes.ping, Buffer.from([0, 0, 0, 7]));
    scene.client.frame(frameTypes.ping, Buffer.from([0, 0, 0, 2]));
    scene.client.frame(frameTypes.ping, Buffer.from([0, 0, 0, 9]));
    await waitFor(() => scene.client.pings.length === 2, what("pings"));
    assert.deepEqual(scene.client.pings, [7, 9]);
    scene.connection.close();
  });

  test("settings, windows and further headers are overlooked", async () => {
    const scene = open();
    scene.client.frame(frameTypes.settings, Buffer.alloc(4));
    scene.client.frame(frameTypes.windowUpdate, Buffer.alloc(8));
    const { id } = await opened(scene);
    const more = await scene.client.compress({ later: "yes" });
    const number = Buffer.alloc(4);
    number.writeUInt32BE(id);
    scene.client.frame(frameTypes.headers, Buffer.concat([number, more]));
    await opened(scene);
    scene.connection.close();
  });

  test("what nobody reads holds the client up, and stays small", async () => {
    const scene = open();
    const { id, stream } = await opened(scene);
    let sent = 0;
    const chunk = Buffer.alloc(64 * 1024);
    while (scene.client.send(id, chunk) && sent < 500) sent += 1;
    assert.ok(sent < 500, `${sent} chunks were taken`);
    assert.ok(stream.readableLength < 1_000_000);
    let read = 0;
    stream.on("data", (part: Buffer) => {
      read += part.length;
    });
    await waitFor(() => read === (sent + 1) * chunk.length, what("all of it"));
    scene.connection.close();
  });

  test("a client that reads nothing holds up who writes, and one that goes ends them", async () => {
    const [near, far] = duplexPair();
    const streams: SpdyStream[] = [];
    const handlers = {
      accepts: () => true,
      onStream: (each: SpdyStream) => void streams.push(each),
    };
    const connection = new SpdyConnection(far, handlers);
    const client = new SpdyClient(near);
    await client.open({ streamtype: "data" });
    await waitFor(() => streams.length === 1, what("the stream"));
    near.pause();
    const { stream } = streams[0] as SpdyStream;
    let written = 0;
    while (stream.write(Buffer.alloc(16 * 1024)) && written < 1_000) written += 1;
    assert.ok(written < 1_000, `${written} chunks were taken`);
    // As a socket is when its peer resets it.
    far.destroy();
    await waitFor(() => connection.gone.aborted && stream.destroyed, what("the end"));
  });

  const malformed: Record<string, (client: SpdyClient) => void> = {
    "another version": ({ peer }) => peer.write(Buffer.from([0x80, 2, 0, 1, 0, 0, 0, 0])),
    "a control frame without end": ({ peer }) =>
      peer.write(Buffer.from([0x80, 3, 0, 1, 0, 255, 255, 255])),
    "a type that is none": (client) => client.frame(99, Buffer.alloc(4)),
    "a stream without a number": ({ peer }) => peer.write(Buffer.alloc(8)),
    "headers that are not compressed": (client) => client.frame(1, Buffer.alloc(40, 65)),
    "a frame that is cut off": (client) => client.frame(1, Buffer.alloc(4)),
    "a reset without a stream": (client) => client.frame(3, Buffer.alloc(2)),
    "a ping without a number": (client) => client.frame(6, Buffer.alloc(4)),
  };
  for (const [sentence, send] of Object.entries(malformed)) {
    test(`${sentence} ends the connection and what it has opened`, async () => {
      const scene = open();
      const { stream } = await opened(scene);
      send(scene.client);
      await scene.client.whenClosed();
      assert.ok(stream.destroyed);
    });
  }

  test("headers that would take all memory end the connection", async () => {
    const scene = open();
    const bomb = await scene.client.compress({ x: "a".repeat(10_000_000) });
    assert.ok(bomb.length < 60_000);
    scene.client.frame(1, Buffer.concat([Buffer.from([0, 0, 0, 1]), Buffer.alloc(6), bomb]));
    await scene.client.whenClosed();
    assert.equal(scene.streams.length, 0);
  });

  test("bytes at random never do more than end it", async () => {
    let seed = 1;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed;
    };
    for (let round = 0; round < 200; round += 1) {
      const [near, far]: Duplex[] = duplexPair();
      if (!near || !far) return;
      const connection = new SpdyConnection(far, { accepts: () => true, onStream: () => {} });
      near.on("error", () => {}).resume();
      const bytes = Buffer.from(Array.from({ length: 64 }, () => random() & 0xff));
      if (round % 2 === 0) Buffer.from([0x80, 3, 0, 1 + (round % 9), 0, 0, 0, 30]).copy(bytes);
      near.end(bytes);
      if (!connection.gone.aborted) await once(connection.gone, "abort");
    }
  });

  test("streams without number are refused beyond a limit", async () => {
    const scene = open();
    for (let index = 0; index < 2_100; index += 1) await scene.client.open({ streamtype: "data" });
    await waitFor(
      () => scene.client.replied.size + scene.client.reset.size === 2_100,
      what("answers"),
    );
    assert.equal(scene.streams.length, 2_048);
    scene.connection.close();
  });
});
