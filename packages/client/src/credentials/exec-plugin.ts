import { isatty } from "node:tty";
import { CredentialError } from "../errors.ts";
import type { ClientConfig, ExecConfig } from "../kubeconfig/client-config.ts";
import type { Timekeeper } from "../timekeeper.ts";
import type { Credential, CredentialSource } from "./credential.ts";
import { type ExecResult, execInfo, parseExecCredential } from "./exec-credential.ts";
import { runExecPlugin } from "./exec-run.ts";

export interface ExecPluginOptions {
  readonly exec: ExecConfig;
  readonly config: ClientConfig;
  readonly timekeeper: Timekeeper;
  /** Whether somebody sits at standard input. */
  readonly isTerminal?: () => boolean;
}

/** Credentials from a plugin: kept until they expire or are refused, got by one run for all. */
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
