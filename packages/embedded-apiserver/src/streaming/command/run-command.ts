import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { PodCommand } from "@rookery/apiserver";
import type { Status } from "@rookery/kube";
import { exitStatus, failureStatus, refusalStatus, success } from "./command-status.ts";

/** Longer sizes are invalid. */
const maxLength = 4_096;

/** Reads JSON sizes from a stream until the first invalid one. */
function readSizes(stream: Readable, onSize: (size: TerminalSize) => void): void {
  let text = "";
  const stop = () => stream.off("data", take).resume();
  const take = (chunk: Buffer) => {
    text += chunk.toString("latin1");
    for (let end = text.indexOf("}"); end !== -1; end = text.indexOf("}")) {
      const size = parseSize(text.slice(0, end + 1));
      if (!size) return stop();
      text = text.slice(end + 1);
      onSize(size);
    }
    return text.length > maxLength ? stop() : undefined;
  };
  stream.on("data", take);
}

/** Go matches field names case-insensitively. */
function parseSize(text: string): TerminalSize | undefined {
  try {
    const fields = Object.entries(JSON.parse(text) as object);
    const lowered = new Map(fields.map(([name, value]) => [name.toLowerCase(), value]));
    const [columns = 0, rows = 0] = [lowered.get("width"), lowered.get("height")];
    return isSize(columns) && isSize(rows) ? { columns, rows } : undefined;
  } catch {
    return undefined;
  }
}

function isSize(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 0x10000;
}

export interface CommandRun {
  readonly kind: "exec" | "attach";
  readonly start: () => Promise<PodCommand>;
  /** Whether the end of the client's input ends the process's stdin. */
  readonly endsInput: boolean;
}

/** Connects a client to a process until one of them ends, and reports the exit status. */
export async function runCommand(streams: CommandStreams, run: CommandRun): Promise<void> {
  // A client that left at once starts no process.
  await setImmediate();
  if (streams.gone.aborted) return;
  let command: PodCommand;
  try {
    command = await run.start();
  } catch (error) {
    return finish(streams, refusalStatus(error));
  }
  const status = await connectStreams(streams, command, run);
  if (streams.gone.aborted) command.leave();
  else await finish(streams, status);
}

async function finish(streams: CommandStreams, status: Partial<Status>): Promise<void> {
  await streams.writeStatus(status);
  streams.close();
}

/** Returns when the process has ended and its output is sent, or when the client is gone. */
async function connectStreams(
  streams: CommandStreams,
  command: PodCommand,
  { kind, endsInput }: CommandRun,
): Promise<Partial<Status>> {
  pipeInput(streams.stdin, command.stdin, endsInput);
  if (streams.resize) readSizes(streams.resize, (size) => resize(command, size));
  const sent = [
    pipeOutput(command.stdout, streams.stdout),
    pipeOutput(command.stderr, streams.stderr),
  ];
  const listening = new AbortController();
  try {
    const gone = whenAborted(streams.gone, listening.signal);
    const code = (await Promise.race([command.ended, gone])) ?? 0;
    await Promise.all(sent);
    // An attached client gets no exit code, which is in the pod's status.
    return kind === "exec" ? exitStatus(code) : success;
  } catch (error) {
    return failureStatus(error, failures[kind]);
  } finally {
    listening.abort();
  }
}

function resize(command: PodCommand, size: TerminalSize): void {
  try {
    command.resize(size);
  } catch {
    // The terminal is gone.
  }
}

const failures = {
  exec: "error executing command in container",
  attach: "error attaching to container",
};

async function whenAborted(signal: AbortSignal, until: AbortSignal): Promise<undefined> {
  if (!signal.aborted) await once(signal, "abort", { signal: until }).catch(() => {});
}

/** Input that the process no longer reads is dropped, so that it does not block other streams. */
function pipeInput(from: Readable | undefined, to: Writable | undefined, end: boolean): void {
  if (!from || !to) {
    from?.resume();
    return;
  }
  const drop = () => from.unpipe(to).resume();
  to.on("error", drop).on("close", drop);
  // An attached process goes on, possibly with other clients.
  from.once("close", () => {
    from.unpipe(to);
    to.off("close", drop);
    if (!end) to.off("error", drop);
  });
  from.pipe(to, { end });
}

/** Resolves when all output is sent, or the client is gone. */
async function pipeOutput(from: Readable | undefined, to: Writable | undefined): Promise<void> {
  if (!from) return;
  from.on("error", () => {});
  if (!to || to.destroyed) {
    from.resume();
    return;
  }
  // Also on abort.
  from.once("close", () => to.end());
  to.once("close", () => from.resume());
  from.pipe(to);
  const done = Promise.withResolvers<void>();
  to.once("finish", done.resolve).once("close", done.resolve);
  await done.promise;
}

interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** A client's streams, by either protocol. */
export interface CommandStreams {
  readonly stdin: Readable | undefined;
  readonly stdout: Writable | undefined;
  readonly stderr: Writable | undefined;
  /** Terminal sizes as JSON. */
  readonly resize: Readable | undefined;
  writeStatus(status: Partial<Status>): Promise<void>;
  /** Aborted when the client is gone. */
  readonly gone: AbortSignal;
  close(): void;
}
