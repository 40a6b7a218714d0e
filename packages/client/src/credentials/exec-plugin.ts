import type { ChildProcess } from "node:child_process";
import { isatty } from "node:tty";
import { CredentialError } from "../errors.ts";
import type { ClientConfig, ExecConfig } from "../kubeconfig/client-config.ts";
import type { Timekeeper } from "../timekeeper.ts";
import type { Credential, CredentialSource } from "./credential.ts";
import { type ExecResult, execInfo, parseExecCredential } from "./exec-credential.ts";

const outputLimit = 1024 * 1024;

interface ExecRun {
  readonly exec: ExecConfig;
  /** The content of KUBERNETES_EXEC_INFO. */
  readonly info: string;
  /** Whether the plugin may ask the user. */
  readonly interactive: boolean;
  /** Stops the plugin. */
  readonly signal: AbortSignal;
}

/**
 * Runs a plugin and resolves to its output; its standard error goes to ours. Rejects with an Error
 * with the reason, and a hint for a missing plugin.
 */
async function runExecPlugin(run: ExecRun): Promise<string> {
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

/** The hint may be untrusted: removes control characters. */
function printable(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\t\n\v\f\r]/gu, (character) => {
    const point = character.codePointAt(0) ?? 0;
    return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  });
}

export interface ExecPluginOptions {
  readonly exec: ExecConfig;
  readonly config: ClientConfig;
  readonly timekeeper: Timekeeper;
  /** Whether standard input is a terminal. */
  readonly isTerminal?: () => boolean;
}

/**
 * Credentials from a plugin, kept until they expire or are rejected. Concurrent callers share one
 * run.
 */
export class ExecPlugin implements CredentialSource {
  readonly #options: ExecPluginOptions;
  readonly #closed = new AbortController();
  #result: ExecResult | undefined;
  #running: Promise<Credential> | undefined;

  constructor(options: ExecPluginOptions) {
    this.#options = options;
  }

  get(): Credential | Promise<Credential> {
    if (this.#result && !this.#isExpired(this.#result)) return this.#result.credential;
    return this.#run();
  }

  renew(refused: Credential): Promise<Credential | undefined> {
    const current = this.#result?.credential;
    return current === undefined || current === refused ? this.#run() : Promise.resolve(current);
  }

  close(): void {
    this.#closed.abort(new CredentialError("the client is closed"));
  }

  #isExpired({ expiresAt }: ExecResult): boolean {
    return expiresAt !== undefined && this.#options.timekeeper.now() > expiresAt;
  }

  #run(): Promise<Credential> {
    this.#running ??= this.#runOnce().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #runOnce(): Promise<Credential> {
    const { exec, config } = this.#options;
    const { signal } = this.#closed;
    try {
      signal.throwIfAborted();
      const interactive = this.#isInteractive();
      const info = execInfo(exec, { config, interactive });
      const output = await runExecPlugin({ exec, info, interactive, signal });
      this.#result = parseExecCredential(output, exec.apiVersion);
      return this.#result.credential;
    } catch (error) {
      signal.throwIfAborted();
      throw this.#failure(error as Error);
    }
  }

  #isInteractive(): boolean {
    const { exec, isTerminal = () => isatty(0) } = this.#options;
    if (exec.interactiveMode === "Never") return false;
    if (isTerminal()) return true;
    if (exec.interactiveMode === "IfAvailable") return false;
    throw new Error("it has to ask somebody, but standard input is not a terminal");
  }

  #failure(cause: Error): CredentialError {
    const { exec, config } = this.#options;
    const { user, file } = config.place ?? {};
    const whose = user ? ` of user ${JSON.stringify(user)}` : "";
    const where = file ? ` in kubeconfig ${file}` : "";
    const reason = `the exec plugin ${exec.command}${whose}${where} failed: ${cause.message}`;
    return new CredentialError(reason, { cause });
  }
}
