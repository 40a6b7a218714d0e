import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { connect as connectSocket, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import type { ContainerStatus } from "@rookery/api";
import type {
  CommandOptions,
  ContainerReference,
  LogOptions,
  PodCommand,
  PodStreams,
} from "@rookery/apiserver";
import {
  badRequestError,
  type Clock,
  internalError,
  notFoundError,
  type StatusError,
} from "@rookery/kube";
import { startProcess } from "./containers/container-process.ts";
import type { ContainerRun } from "./containers/container-run.ts";
import type { ContainerRunner } from "./containers/container-runner.ts";
import { readLog } from "./containers/read-log.ts";
import { hasTerminals, onTerminal, resizeTerminal } from "./processes/pseudo-terminal.ts";
import type { PodWorker } from "./workers/pod-worker.ts";
import type { PodWorkers } from "./workers/pod-workers.ts";

/** Logs, exec, attach and port-forward, as kubelets serve them, for the pods of a node. */
export function createPodStreams(workers: PodWorkers, now: Clock): PodStreams {
  return {
    logs: async (of, options, signal) =>
      readLog(
        { ...logOf(runnerOf(workers, of), of, options), now: () => now().getTime() },
        options,
        signal,
      ),
    exec: async (of, command, options) => exec(runOf(workers, of), command, options),
    attach: async (of, options) => attach(runOf(workers, of), options),
    connect: async (of, port) => connectTo(workerOf(workers, of).address, port),
  };
}

type PodReference = Omit<ContainerReference, "container">;

function workerOf(workers: PodWorkers, { uid, pod }: PodReference): PodWorker {
  const worker = workers.get(uid);
  if (!worker) throw notFoundError({ group: "", resource: "pods" }, pod);
  return worker;
}

function runnerOf(workers: PodWorkers, of: ContainerReference): ContainerRunner {
  const runner = workerOf(workers, of).runner(of.container);
  if (!runner) throw unavailable(of);
  return runner;
}

function unavailable({ container, pod }: ContainerReference): StatusError {
  return badRequestError(`container "${container}" in pod "${pod}" is not available`);
}

function runOf(workers: PodWorkers, of: ContainerReference): ContainerRun {
  const run = workerOf(workers, of).runner(of.container)?.run;
  if (!run?.process || run.hasEnded) {
    throw internalError(new Error(`container not found ("${of.container}")`));
  }
  return run;
}

/** Which file has the log; throws in a kubelet's words where there is none. */
function logOf(runner: ContainerRunner, of: ContainerReference, { previous }: LogOptions) {
  const { status, run } = runner;
  const { restartCount = 0, state, lastState } = status;
  const about = `container "${of.container}" in pod "${of.pod}"`;
  if (previous) {
    const last = lastState?.terminated?.containerID;
    if (!last) throw badRequestError(`previous terminated ${about} not found`);
    // While it waits for its next run, the last one is the newest.
    const isLatest = state?.waiting !== undefined && last === status.containerID;
    return { path: runner.logPath(isLatest ? restartCount : restartCount - 1), live: undefined };
  }
  const isThere = state?.running || state?.terminated || lastState?.terminated;
  const path = runner.logPath(restartCount);
  const live = run && run.log.path === path && !run.log.isClosed ? run.log : undefined;
  if (!isThere && !live)
    throw badRequestError(`${about} is waiting to start: ${whyWaiting(status)}`);
  if (!live && !existsSync(path)) throw badRequestError(`${about} is terminated`);
  return { path, live };
}

function whyWaiting({ state }: ContainerStatus): string {
  const { reason = "" } = state?.waiting ?? {};
  if (reason === "ErrImagePull") return "image can't be pulled";
  if (reason === "ImagePullBackOff") return "trying and failing to pull image";
  return reason;
}

async function exec(
  run: ContainerRun,
  command: readonly string[],
  options: CommandOptions,
): Promise<PodCommand> {
  const why = run.launch.startProblem(command);
  if (why) {
    const text = "error executing command in container: failed to exec in container";
    throw internalError(new Error(`${text}: OCI runtime exec failed: exec failed: ${why}`));
  }
  const launch = run.launch.commandOf(command);
  const isTerminal = options.tty && hasTerminals();
  // Beside the container's own files, where no other user can replace it by a link.
  const nameFile = `${run.launch.terminalFile}-${crypto.randomUUID()}`;
  const process = await startProcess({
    ...launch,
    command: isTerminal ? onTerminal(launch.command, nameFile) : launch.command,
    stdin: options.stdin,
    waitsForOutput: true,
  });
  const kill = () => process.kill();
  run.ended.addEventListener("abort", kill, { once: true });
  const ended = process.ended.finally(async () => {
    run.ended.removeEventListener("abort", kill);
    await rm(nameFile, { force: true });
  });
  if (!options.stdout) process.stdout.resume();
  if (!options.stderr) process.stderr.resume();
  return {
    stdin: process.stdin,
    stdout: options.stdout ? process.stdout : undefined,
    stderr: options.stderr ? process.stderr : undefined,
    resize: (size) => void resizeTerminal(nameFile, size),
    ended,
    leave: kill,
  };
}

function attach(run: ContainerRun, options: CommandOptions): PodCommand {
  const stdout = options.stdout ? new PassThrough() : undefined;
  const stderr = options.stderr ? new PassThrough() : undefined;
  const forget = run.listen((name, chunk) => (name === "stdout" ? stdout : stderr)?.write(chunk));
  const finish = () => {
    forget();
    stdout?.end();
    stderr?.end();
  };
  run.ended.addEventListener("abort", finish, { once: true });
  const ended = run.process?.ended ?? Promise.resolve(0);
  return {
    stdin: options.stdin ? run.process?.stdin : undefined,
    stdout,
    stderr,
    resize: (size) => void resizeTerminal(run.launch.terminalFile, size),
    ended,
    leave: finish,
  };
}

/** At the pod's address; programs that only know 127.0.0.1 are found there. */
async function connectTo(address: string, port: number): Promise<Socket> {
  try {
    return await connected(address, port);
  } catch (first) {
    if ((first as NodeJS.ErrnoException).code !== "ECONNREFUSED") throw connectError(port, first);
    return connected("127.0.0.1", port).catch((error: unknown) => {
      throw connectError(port, error);
    });
  }
}

function connectError(port: number, cause: unknown): StatusError {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  const why = code === "ECONNREFUSED" ? "connect: connection refused" : message;
  return internalError(
    new Error(`failed to connect to localhost:${port} inside namespace: dial tcp: ${why}`),
  );
}

function connected(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket({ host, port, allowHalfOpen: true });
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
    socket.once("error", reject);
  });
}
