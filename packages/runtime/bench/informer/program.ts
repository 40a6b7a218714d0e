import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { SyncReport, UpdatesReport } from "./report.ts";

/** A program that holds all objects in an informer; each run is a fresh process. */
export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: (run: { readonly kubeconfig: string; readonly updates: number }) => string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunningProgram extends AsyncDisposable {
  readonly sync: SyncReport;
  /** Asks for what has come so far where not all updates have; then it ends. */
  updates(patience: number): Promise<UpdatesReport>;
}

/** Starts a program and waits until it has all objects. */
export async function startProgram(
  program: Program,
  run: { readonly kubeconfig: string; readonly updates: number },
): Promise<RunningProgram> {
  const child = spawn(program.command, program.args(run), {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...program.env },
  });
  child.stdin.on("error", () => {});
  const reports = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async <T>(): Promise<T> => {
    const { value, done } = await reports.next();
    if (done) throw new Error(`could not measure ${program.name}: it ended without a report`);
    return JSON.parse(value) as T;
  };
  return {
    sync: await next<SyncReport>(),
    async updates(patience) {
      const timer = setTimeout(() => child.stdin.end(), patience);
      const report = await next<UpdatesReport>();
      clearTimeout(timer);
      return report;
    },
    [Symbol.asyncDispose]: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  if (child.exitCode !== null) return;
  await new Promise((resolve) => child.once("exit", resolve));
}
