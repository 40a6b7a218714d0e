import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Context, collectBody, createHttpClient } from "@rookery/http";
import { type Child, startChild, waitFor } from "@rookery/testing";
import { patience } from "./running-provider.ts";

const command = join(import.meta.dirname, "..", "..", "cli", "src", "main.ts");

export interface ManagerProcessOptions {
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly log: string;
  readonly args?: readonly string[];
}

interface Line {
  readonly level: string;
  readonly logger?: string;
  readonly msg: string;
  readonly url?: string;
  readonly error?: string;
}

/** `rookery manager vsphere`, as a process of its own. */
export class RunningManager implements AsyncDisposable {
  readonly #child: Child;

  static async start(options: ManagerProcessOptions): Promise<RunningManager> {
    const { kubeconfig, namespace, log, args = [] } = options;
    const child = await startChild({
      name: "manager vsphere",
      command: process.execPath,
      args: [
        command,
        "manager",
        "vsphere",
        `--kubeconfig=${kubeconfig}`,
        "--metrics-bind-address=127.0.0.1:0",
        "--health-addr=127.0.0.1:0",
        "--webhook-port=0",
        ...args,
      ],
      env: { ...process.env, POD_NAMESPACE: namespace },
      log,
      grace: 30_000,
    });
    const manager = new RunningManager(child);
    await waitFor(async () => (await manager.get("health-server", "/readyz")).status === 200, {
      what: "the manager to be ready",
      detail: () => child.ending ?? "it runs",
      timeout: patience,
    });
    return manager;
  }

  private constructor(child: Child) {
    this.#child = child;
  }

  /** What it has logged so far. */
  async lines(): Promise<readonly Line[]> {
    const text = await readFile(this.#child.log, "utf8");
    // What follows the last end of a line is still being written.
    const lines = text.split("\n").slice(0, -1);
    return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  }

  /** The most memory that it has had, in bytes. */
  async peakMemory(): Promise<number> {
    const status = await readFile(`/proc/${this.#child.pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  }

  metrics(): Promise<string> {
    return this.get("metrics-server", "/metrics").then(({ text }) => text);
  }

  /** Asks one of its servers. */
  async get(server: string, path: string): Promise<{ readonly status: number; text: string }> {
    this.#child.assertRunning();
    const lines = await this.lines();
    const { url } = lines.find(({ logger, url }) => logger === server && url) ?? {};
    if (!url) throw new Error(`it does not serve ${server} yet`);
    await using http = createHttpClient({ origin: url });
    const { signal } = new AbortController();
    const request = { method: "GET", path, query: "", headers: {}, body: new Uint8Array(), signal };
    const { status, body } = await http.handler({ ...request, context: Context.empty });
    return { status, text: Buffer.from(await collectBody(body, { limit: 1 << 20 })).toString() };
  }

  /** Asks it to end, and waits until it has. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child.stop();
  }
}
