import type { ChildProcess } from "node:child_process";
import type { ExecConfig } from "../kubeconfig/client-config.ts";

const outputLimit = 1024 * 1024;

export interface ExecRun {
  readonly exec: ExecConfig;
  /** The content of KUBERNETES_EXEC_INFO. */
  readonly info: string;
  /** Whether the plugin may ask the user. */
  readonly interactive: boolean;
  /** Ends the plugin. */
  readonly signal: AbortSignal;
}

/**
 * Runs a plugin and resolves to what it printed. What it says on standard error is for the user and
 * goes to ours. Rejects with an Error that says how it failed, and how to install what is missing.
 */
export async function runExecPlugin(run: ExecRun): Promise<string> {
  const { exec, interactive } = run;
  const { spawn } = await import("node:child_process");
  const child = spawn(exec.command, exec.args, {
    env: { ...process.env, ...exec.env, KUBERNETES_EXEC_INFO: run.info },
    stdio: [interactive ? "inherit" : "ignore", "pipe", "inherit"],
    signal: run.signal,
  });
  const output = collect(child);
  const ending = await endingOf(child, exec);
  if (ending !== "exit code 0") throw new Error(`${exec.command} ended with ${ending}`);
  return output();
}

function collect(child: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  let length = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    length += chunk.byteLength;
    if (length > outputLimit) child.kill();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

function endingOf(child: ChildProcess, exec: ExecConfig): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(startError(exec, error)));
    child.once("close", (code, signal) =>
      resolve(signal === null ? `exit code ${code}` : `signal ${signal}`),
    );
  });
}

function startError(exec: ExecConfig, error: NodeJS.ErrnoException): Error {
  if (error.code !== "ENOENT") {
    return new Error(`${exec.command} cannot be run: ${error.code ?? error.message}`);
  }
  const hint = exec.installHint ? `\n\n${printable(exec.installHint)}` : "";
  return new Error(`${exec.command} is not found; install it, or correct the kubeconfig${hint}`);
}

/** A hint comes from a file that somebody else may have written: no escape codes for the terminal. */
function printable(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\t\n\v\f\r]/gu, (character) => {
    const point = character.codePointAt(0) ?? 0;
    return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  });
}
