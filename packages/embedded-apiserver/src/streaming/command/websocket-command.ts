import type { Duplex } from "node:stream";
import type { CommandOptions } from "@rookery/apiserver";
import { WebSocketChannels } from "../websocket/channels.ts";
import type { CommandStreams } from "./run-command.ts";
import { statusText } from "./spdy-command.ts";

/** The newest one is chosen where it is offered, by whatever order. */
export const newestWebSocketProtocol = "v5.channel.k8s.io";
export const webSocketCommandProtocols = [
  ...["", "channel.k8s.io", "base64.channel.k8s.io"],
  ...["v4.channel.k8s.io", "v4.base64.channel.k8s.io"],
];

const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

/** The streams of a client, which are there with its WebSocket. */
export function openWebSocketCommand(
  peer: Duplex,
  protocol: string,
  { stdin, stdout, stderr }: CommandOptions,
): CommandStreams {
  const opened = new WebSocketChannels(peer, {
    readable: [stdin, false, false, false, true],
    isBase64: protocol.includes("base64"),
    hasCloseSignal: protocol === newestWebSocketProtocol,
  });
  const { streams } = opened;
  // Tells the client that it is connected.
  opened.send(stdout ? channels.stdout : stderr ? channels.stderr : channels.error, noBytes);
  const isJson = /^v[45]\./.test(protocol);
  return {
    stdin: stdin ? streams[channels.stdin] : undefined,
    stdout: stdout ? streams[channels.stdout] : undefined,
    stderr: stderr ? streams[channels.stderr] : undefined,
    resize: streams[channels.resize],
    gone: opened.gone,
    writeStatus(status) {
      const text = statusText(status, isJson);
      if (text === "" || opened.gone.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        opened.send(channels.error, Buffer.from(text), () => resolve());
      });
    },
    close: () => opened.close(),
  };
}

const noBytes = Buffer.alloc(0);
