import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface Script extends AsyncDisposable {
  readonly process: ChildProcess;
  /** Its next line on standard output. */
  line(): Promise<string>;
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>;
}

/** Runs a script as a program of its own, to see what it leaves when it ends. */
export function runScript(script: URL, args: readonly string[] = [], env = process.env): Script {
  const { NODE_TEST_CONTEXT: _, ...rest } = env;
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: rest,
  });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    ended,
    async line() {
      const { value, done } = await lines.next();
      if (done) throw new Error(`could not read from ${script}: it ended\n${errors}`);
      return value;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
