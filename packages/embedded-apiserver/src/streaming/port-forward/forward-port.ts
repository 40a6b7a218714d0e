import type { Duplex, Writable } from "node:stream";
import type { PodStreams } from "@rookery/apiserver";
import { kubeletWords } from "../command/command-status.ts";
import { endWith } from "../streams/peer-writer.ts";

export interface ForwardTarget {
  readonly streams: PodStreams;
  readonly of: Parameters<PodStreams["connect"]>[0];
}

/** A client's connection to a port. */
export interface ForwardedConnection {
  readonly port: number;
  readonly data: Duplex;
  /** Receives the reason of a failure; otherwise only ends. */
  readonly error: Writable;
}

/** Joins a connection to a pod's port until both sides have ended. Never rejects. */
export async function forwardPort(
  { streams, of }: ForwardTarget,
  { port, data, error }: ForwardedConnection,
): Promise<void> {
  try {
    const socket = await streams.connect(of, port);
    if (data.destroyed) socket.destroy();
    else await join(data, socket);
    await endWith(error);
  } catch (failure) {
    const target = `port ${port} to pod ${of.pod}, uid ${of.uid}`;
    await endWith(error, `error forwarding ${target}: ${kubeletWords(failure)}`);
    data.destroy();
  }
}

/** Resolves when the pod's side has ended; an aborted side ends the other one. */
function join(data: Duplex, socket: Duplex): Promise<void> {
  const closed = Promise.withResolvers<void>();
  // Data that the pod no longer reads must not block other connections.
  const drop = () => data.unpipe(socket).resume();
  socket.on("error", (error) => closed.reject(error));
  socket.once("end", () => {
    drop();
    socket.end();
  });
  socket.once("close", () => {
    drop();
    if (socket.readableEnded) endWith(data).then(closed.resolve, closed.reject);
    else {
      data.destroy();
      closed.resolve();
    }
  });
  data.once("close", () => {
    if (!data.readableEnded) socket.destroy();
  });
  data.pipe(socket);
  socket.pipe(data);
  return closed.promise;
}
