import type { Duplex } from "node:stream";
import type { CommandOptions } from "@rookery/apiserver";
import type { Status } from "@rookery/kube";
import { SpdyConnection } from "../spdy/spdy-connection.ts";
import { endWith } from "../streams/end-with.ts";
import type { FedStream } from "../streams/fed-stream.ts";
import type { CommandStreams } from "./run-command.ts";

/** Newest first; v5 is for WebSockets alone. */
export const spdyCommandProtocols = ["v4", "v3", "v2", ""].map((version) =>
  version === "" ? "channel.k8s.io" : `${version}.channel.k8s.io`,
);

/** How long a client may take to open its streams. */
const openTimeoutMs = 30_000;

const streamTypes: readonly string[] = ["error", "stdin", "stdout", "stderr", "resize"];

/**
 * Waits until the client has opened the streams that it asked for. undefined where it does not, or
 * leaves: its connection is closed then.
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
      // What nobody asked for must not hold up the others.
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
  const asked = { ...options, error: true, resize: options.tty && canResize };
  return streamTypes.filter((type) => asked[type as keyof typeof asked]);
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

/** Versions before the fourth tell errors alone, and these as text. */
export function statusText(status: Partial<Status>, isJson: boolean): string {
  if (isJson) return JSON.stringify(status);
  return status.status === "Success" ? "" : (status.message ?? "");
}
