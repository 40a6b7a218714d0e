import assert from "node:assert/strict";
import { once } from "node:events";
import { duplexPair } from "node:stream";
import { describe, test } from "node:test";
import { waitFor } from "@rookery/testing";
import { WebSocketClient } from "../../../test/streaming/websocket/websocket-client.ts";
import { type ChannelOptions, WebSocketChannels } from "./channels.ts";
import { opcodes } from "./frame-reader.ts";

const soon = { what: "what was sent", interval: 2 };

function open(options: Partial<ChannelOptions> = {}) {
  const [near, far] = duplexPair();
  const channels = new WebSocketChannels(far, {
    readable: [true, false],
    isBase64: false,
    hasCloseSignal: true,
    ...options,
  });
  const [input, output] = channels.streams;
  assert.ok(input && output);
  return { client: new WebSocketClient(near), channels, input, output, far };
}

describe("channels of a WebSocket", () => {
  test("messages of any length, whole or in parts, are one stream", async () => {
    const { client, channels, input } = open();
    const long = "x".repeat(70_000);
    client.sendOn(0, "one ");
    client.send(Buffer.from([0]), opcodes.binary, false);
    client.send("two ", opcodes.continuation, false);
    client.send("", opcodes.ping);
    client.send("three ", opcodes.continuation);
    client.send("");
    client.sendOn(0, "y".repeat(200));
    client.sendOn(0, long);
    client.send(Buffer.from([255, 0]));
    const heard = Buffer.concat(await input.toArray()).toString();
    assert.equal(heard, `one two three ${"y".repeat(200)}${long}`);
    await waitFor(() => client.messages.some(({ opcode }) => opcode === opcodes.pong), soon);
    channels.close();
  });

  test("what is written comes on its channel", async () => {
    const { client, channels, output } = open();
    const long = "z".repeat(70_000);
    output.write("hello ");
    output.end(long);
    await waitFor(() => client.channel(1) === `hello ${long}`, soon);
    channels.close();
    await client.whenClosed();
    assert.equal(client.closeCode, 1000);
  });

  test("base64 is for clients that can't send bytes", async () => {
    const { client, channels, input, output } = open({ isBase64: true });
    client.send(`0${Buffer.from("hello").toString("base64")}`, opcodes.text);
    client.send("0not base64!", opcodes.text);
    const [heard] = await once(input, "data");
    assert.equal(String(heard), "hello");
    output.write("there");
    await waitFor(() => client.messages.length > 0, soon);
    assert.equal(client.messages[0]?.payload.toString(), `1${btoa("there")}`);
    channels.close();
  });

  test("what is sent where nobody listens is dropped", async () => {
    const { client, channels, input } = open();
    client.sendOn(1, "dropped");
    client.sendOn(9, "dropped");
    client.sendOn(0, "heard");
    const [heard] = await once(input, "data");
    assert.equal(String(heard), "heard");
    channels.close();
  });

  test("a client that closes ends all channels, and is answered", async () => {
    const { client, input } = open();
    client.send(Buffer.from([3, 232]), opcodes.close);
    await client.whenClosed();
    assert.equal(client.closeCode, 1000);
    assert.ok(input.destroyed);
  });

  test("what nobody reads holds the client up", () => {
    const { client, input, channels } = open();
    let sent = 0;
    while (client.sendOn(0, Buffer.alloc(64 * 1024)) && sent < 500) sent += 1;
    assert.ok(sent < 500, `${sent} messages were taken`);
    assert.ok(input.readableLength < 1_000_000);
    channels.close();
  });

  const malformed: Record<string, (client: WebSocketClient) => void> = {
    "a frame without a mask": ({ peer }) => peer.write(Buffer.from([0x82, 1, 0, 0, 0, 0, 0])),
    "an extension": ({ peer }) => peer.write(Buffer.from([0xc2, 0x80, 0, 0, 0, 0])),
    "a type that is none": (client) => client.send("x", 5),
    "a part of nothing": (client) => client.send("x", opcodes.continuation),
    "a message within another": (client) => {
      client.send("x", opcodes.binary, false);
      client.send("y");
    },
    "a ping that is too long": (client) => client.send("x".repeat(200), opcodes.ping),
    "a length beyond all numbers": ({ peer }) =>
      peer.write(Buffer.alloc(14, 0xff).fill(0x82, 0, 1)),
    "the end of a channel that is not there": (client) => client.send(Buffer.from([255, 7])),
  };
  for (const [sentence, send] of Object.entries(malformed)) {
    test(`${sentence} ends it`, async () => {
      const { client, input } = open();
      send(client);
      await client.whenClosed();
      assert.equal(client.closeCode, 1002);
      assert.ok(input.destroyed);
    });
  }
});
