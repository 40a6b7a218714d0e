import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { PassThrough, Readable } from "node:stream";
import { badRequestError } from "@rookery/kube";
import type {
  CommandOptions,
  ContainerReference,
  LogOptions,
  PodCommand,
  PodStreams,
} from "@rookery/local";

/** A node as small as it can be: processes of this machine, of which it keeps what they print. */
export interface ProcessStreams extends PodStreams, AsyncDisposable {
  /** Starts the process of a container; it prints lines. */
  start(container: string, command: readonly string[]): void;
  /** Processes that clients have begun and that are still there. */
  readonly executing: ReadonlySet<ChildProcess>;
  /** The sizes that clients have told. */
  readonly sizes: { readonly columns: number; readonly rows: number }[];
}

interface Container {
  readonly child: ChildProcess;
  readonly lines: string[];
  readonly changed: EventTarget;
  isOver: boolean;
}

export function createProcessStreams(): ProcessStreams {
  const containers = new Map<string, Container>();
  const executing = new Set<ChildProcess>();
  const sizes: { columns: number; rows: number }[] = [];
  const containerOf = ({ container, pod }: ContainerReference) => {
    const found = containers.get(container);
    if (found) return found;
    const problem = "is waiting to start: ContainerCreating";
    throw badRequestError(`container "${container}" in pod "${pod}" ${problem}`);
  };
  return {
    executing,
    sizes,
    start(name, command) {
      containers.set(name, startContainer(command));
    },
    async logs(of, options, signal) {
      return Readable.from(linesOf(containerOf(of), options, signal));
    },
    async exec(of, command, options) {
      if (!containers.has(of.container)) throw new Error(`container not found ("${of.container}")`);
      const child = spawnCommand(command, options.tty);
      executing.add(child);
      child.once("close", () => executing.delete(child));
      return commandOf(child, options, { sizes, leave: () => endGroup(child) });
    },
    async attach(of, options) {
      const { child } = containerOf(of);
      return commandOf(child, options, { sizes, leave: () => {} });
    },
    async connect(_, port) {
      const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
      await once(socket, "connect");
      return socket;
    },
    async [Symbol.asyncDispose]() {
      const children = [...executing, ...[...containers.values()].map(({ child }) => child)];
      for (const child of children) endGroup(child);
    },
  };
}

function spawnCommand([program = "", ...args]: readonly string[], isTerminal = false) {
  if (!isTerminal) return spawn(program, args, { stdio: "pipe", detached: true });
  const line = [program, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const onTerminal = ["-c", 'exec script -qefc "$0" /dev/null', line];
  return spawn("sh", onTerminal, { stdio: "pipe", detached: true });
}

/** With all that it has started. */
function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL");
}

function startContainer(command: readonly string[]): Container {
  const child = spawnCommand(command);
  const container = { child, lines: [] as string[], changed: new EventTarget(), isOver: false };
  let rest = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    container.lines.push(...lines.map((line) => `${line}\n`));
    container.changed.dispatchEvent(new Event("change"));
  });
  child.once("close", () => {
    container.isOver = true;
    container.changed.dispatchEvent(new Event("change"));
  });
  return container;
}

async function* linesOf(
  container: Container,
  { follow, tailLines, timestamps }: LogOptions,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const stamp = timestamps ? "2026-01-01T00:00:00.000000000Z " : "";
  let next = tailLines === undefined ? 0 : Math.max(0, container.lines.length - tailLines);
  for (;;) {
    for (; next < container.lines.length; next += 1) {
      yield Buffer.from(`${stamp}${container.lines[next]}`);
    }
    if (!follow || container.isOver || signal.aborted) return;
    await once(container.changed, "change", { signal }).catch(() => {});
  }
}

function commandOf(
  child: ChildProcess,
  { stdin, stdout, stderr }: CommandOptions,
  { sizes, leave }: { sizes: { columns: number; rows: number }[]; leave: () => void },
): PodCommand {
  const ended = once(child, "close").then(([code]) => (code as number | null) ?? 137);
  return {
    stdin: stdin ? (child.stdin ?? undefined) : undefined,
    stdout: stdout ? shared(child.stdout) : undefined,
    stderr: stderr ? shared(child.stderr) : undefined,
    resize: (size) => void sizes.push(size),
    ended,
    leave,
  };
}

/** Several may listen to one output, and one that leaves does not end it for others. */
function shared(output: Readable | null): Readable {
  const copy = new PassThrough();
  output?.pipe(copy);
  return copy;
}
