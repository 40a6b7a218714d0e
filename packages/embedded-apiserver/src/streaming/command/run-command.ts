import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { PodCommand } from "@rookery/apiserver";
import type { Status } from "@rookery/kube";
import { exitStatus, failureStatus, refusalStatus, success } from "./command-status.ts";
import type { CommandStreams, TerminalSize } from "./command-streams.ts";
import { readSizes } from "./read-sizes.ts";

export interface CommandRun {
  readonly kind: "exec" | "attach";
  readonly start: () => Promise<PodCommand>;
  /** Whether the end of the client's input is that of the process, too. */
  readonly endsInput: boolean;
}

/** Joins a client to a process until one of them ends, and says how it ended. */
export async function runCommand(streams: CommandStreams, run: CommandRun): Promise<void> {
  // Who has left in the same moment starts nothing.
  await setImmediate();
  if (streams.gone.aborted) return;
  let command: PodCommand;
  try {
    command = await run.start();
  } catch (error) {
    return finish(streams, refusalStatus(error));
  }
  const status = await converse(streams, command, run);
  if (streams.gone.aborted) command.leave();
  else await finish(streams, status);
}

async function finish(streams: CommandStreams, status: Partial<Status>): Promise<void> {
  await streams.writeStatus(status);
  streams.close();
}

/** Returns when the process has ended and all was sent, or when the client has gone. */
async function converse(
  streams: CommandStreams,
  command: PodCommand,
  { kind, endsInput }: CommandRun,
): Promise<Partial<Status>> {
  send(streams.stdin, command.stdin, endsInput);
  if (streams.resize) readSizes(streams.resize, (size) => resize(command, size));
  const sent = [passOn(command.stdout, streams.stdout), passOn(command.stderr, streams.stderr)];
  const listening = new AbortController();
  try {
    const gone = whenAborted(streams.gone, listening.signal);
    const code = (await Promise.race([command.ended, gone])) ?? 0;
    await Promise.all(sent);
    // Who attaches hears of the end, not of the code: that is in the pod's status.
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
    // A terminal that is gone has no size.
  }
}

const failures = {
  exec: "error executing command in container",
  attach: "error attaching to container",
};

async function whenAborted(signal: AbortSignal, until: AbortSignal): Promise<undefined> {
  if (!signal.aborted) await once(signal, "abort", { signal: until }).catch(() => {});
}

/** What a process no longer reads is dropped, so that it does not hold up the rest. */
function send(from: Readable | undefined, to: Writable | undefined, end: boolean): void {
  if (!from || !to) {
    from?.resume();
    return;
  }
  const drop = () => from.unpipe(to).resume();
  to.on("error", drop).on("close", drop);
  // The process may go on, and others may talk with it.
  from.once("close", () => {
    from.unpipe(to);
    to.off("close", drop);
    if (!end) to.off("error", drop);
  });
  from.pipe(to, { end });
}

/** Resolves when all of it has been sent, or nobody takes it any more. */
async function passOn(from: Readable | undefined, to: Writable | undefined): Promise<void> {
  if (!from) return;
  from.on("error", () => {});
  if (!to || to.destroyed) {
    from.resume();
    return;
  }
  // Also where it breaks off.
  from.once("close", () => to.end());
  to.once("close", () => from.resume());
  from.pipe(to);
  const done = Promise.withResolvers<void>();
  to.once("finish", done.resolve).once("close", done.resolve);
  await done.promise;
}
