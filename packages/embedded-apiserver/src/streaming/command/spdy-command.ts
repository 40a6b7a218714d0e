import type { Duplex } from "node:stream";
import type { CommandOptions } from "@rookery/apiserver";
import type { Status } from "@rookery/kube";
import { SpdyConnection } from "../spdy/spdy-connection.ts";
import type { FedStream } from "../streams/fed-stream.ts";
import { endWith } from "../streams/peer-writer.ts";
import { WebSocketChannels } from "../websocket/channels.ts";
import type { CommandStreams } from "./run-command.ts";

/** Preferred regardless of the client's order. */
export const newestWebSocketProtocol = "v5.channel.k8s.io";
export const webSocketCommandProtocols = [
  ...["", "channel.k8s.io", "base64.channel.k8s.io"],
  ...["v4.channel.k8s.io", "v4.base64.channel.k8s.io"],
];

const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

/** The client's streams, which a WebSocket has from the start. */
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
  // Signals the client that it is connected.
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

/** Newest first; v5 is for WebSockets only. */
export const spdyCommandProtocols = ["v4", "v3", "v2", ""].map((version) =>
  version === "" ? "channel.k8s.io" : `${version}.channel.k8s.io`,
);

/** How long a client may take to open its streams. */
const openTimeoutMs = 30_000;

const streamTypes: readonly string[] = ["error", "stdin", "stdout", "stderr", "resize"];

/**
 * Waits for the streams that the client requested. Undefined, with the connection closed, if they
 * do not arrive.
 */
export async function openSpdyCommand(
  peer: Duplex,
  protocol: string,
  options: CommandOptions,
): Promise<CommandStreams | undefined> {
  const wanted = wantedStreams(protocol, options);
  const found = new Map<string, FedStream>();
  const complete = Promise.withResolvers<boolean>();
  const connection = new SpdyConnection(peer, {
    accepts: (headers) => streamTypes.includes(headers.get("streamtype") ?? ""),
    onStream: ({ headers, stream }) => {
      const type = headers.get("streamtype") ?? "";
      // Unexpected data must not block other streams.
      if (!wanted.includes(type) || found.has(type)) stream.resume();
      else found.set(type, stream);
      if (found.size === wanted.length) complete.resolve(true);
    },
  });
  connection.gone.addEventListener("abort", () => complete.resolve(false));
  const timer = setTimeout(() => complete.resolve(false), openTimeoutMs);
  const isComplete = await complete.promise;
  clearTimeout(timer);
  if (isComplete) return commandStreams(connection, found, protocol);
  connection.close();
  return undefined;
}

function wantedStreams(protocol: string, options: CommandOptions): string[] {
  const canResize = protocol.startsWith("v4.") || protocol.startsWith("v3.");
  const requested = { ...options, error: true, resize: options.tty && canResize };
  return streamTypes.filter((type) => requested[type as keyof typeof requested]);
}

function commandStreams(
  connection: SpdyConnection,
  found: ReadonlyMap<string, FedStream>,
  protocol: string,
): CommandStreams {
  const error = found.get("error");
  for (const type of ["error", "stdout", "stderr"]) found.get(type)?.resume();
  return {
    stdin: found.get("stdin"),
    stdout: found.get("stdout"),
    stderr: found.get("stderr"),
    resize: found.get("resize"),
    gone: connection.gone,
    async writeStatus(status) {
      const text = statusText(status, protocol.startsWith("v4."));
      if (error) await endWith(error, text);
    },
    close: () => connection.close(),
  };
}

/** Protocols before v4 send errors only, as text. */
function statusText(status: Partial<Status>, isJson: boolean): string {
  if (isJson) return JSON.stringify(status);
  return status.status === "Success" ? "" : (status.message ?? "");
}
