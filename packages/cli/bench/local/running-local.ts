import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type Client, createClient, loadConfig } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import {
  createTemporaryFolder,
  processesOfPods,
  runCommand,
  type TemporaryFolder,
  type WaitOptions,
  waitFor,
} from "@rookery/testing";
import { cpuSecondsOf, cpuSecondsOfEnded } from "./process-usage.ts";

const main = join(import.meta.dirname, "../../src/main.ts");
const timeout = 120_000;
const interval = 10;

const rookeryLocal = (command: string, data: string, ...args: readonly string[]) =>
  runCommand(process.execPath, [main, "local", command, "--data", data, ...args]);

/** It runs in the background, and would outlive a bench that is interrupted. */
function endWithBench(data: string): Disposable {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const end = () => {
    spawnSync(process.execPath, [main, "local", "down", "--data", data]);
    process.exit(1);
  };
  for (const signal of signals) process.once(signal, end);
  return {
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, end);
    },
  };
}

/** An embedded Kubernetes with its node, as `rookery local up` starts it in an empty folder. */
export class RunningLocal implements AsyncDisposable {
  readonly client: Client;
  readonly pid: number;
  /** How long the command took, which ends when the node is Ready. */
  readonly startSeconds: number;
  /** What the command and the process that it leaves have used of the processors until then. */
  readonly startCpuSeconds: number;
  readonly #stack: AsyncDisposableStack;

  static async start(): Promise<RunningLocal> {
    await using stack = new AsyncDisposableStack();
    const folder: TemporaryFolder = stack.use(await createTemporaryFolder("bench-local"));
    const data = join(folder.path, "data");
    stack.use(endWithBench(data));
    stack.defer(() => rookeryLocal("down", data).then(() => {}));
    const before = { moment: performance.now(), cpu: cpuSecondsOfEnded() };
    const said = await rookeryLocal("up", data, "--port", "0");
    const seconds = (performance.now() - before.moment) / 1000;
    const pid = Number(/\(process (\d+)\)/.exec(said)?.[1]);
    const cpu = cpuSecondsOfEnded() - before.cpu + cpuSecondsOf(pid);
    const path = join(data, "kubeconfig");
    const client = stack.use(createClient(await loadConfig({ path })));
    return new RunningLocal(pid, { seconds, cpu, client, stack: stack.move() });
  }

  private constructor(
    pid: number,
    started: { seconds: number; cpu: number; client: Client; stack: AsyncDisposableStack },
  ) {
    this.pid = pid;
    this.startSeconds = started.seconds;
    this.startCpuSeconds = started.cpu;
    this.client = started.client;
    this.#stack = started.stack;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  /** Of any kind, by what the server says of it. */
  async resource<T extends KubeObject>(apiVersion: string, kind: string) {
    const [version = "", group = ""] = apiVersion.split("/").reverse();
    const found = await this.client.mapper.resourceForKind({ group, version, kind });
    return this.client.resource<T>(found);
  }

  /** Once its kind is served and whoever judges it can be asked. */
  apply(object: object): Promise<KubeObject> {
    const { apiVersion, kind, metadata } = object as KubeObject;
    return this.until(
      async () => {
        const resource = await this.resource<KubeObject>(apiVersion, kind);
        return resource.apply(object as KubeObject, { fieldManager: "bench", force: true });
      },
      { what: `${kind} ${metadata.name} to be taken` },
    );
  }

  /** As `kubectl wait` does, by a watch: who asks over and over takes the time of what it waits for. */
  async untilSo<T extends KubeObject>(
    object: Pick<T, "apiVersion" | "kind" | "metadata">,
    isSo: (object: T) => boolean,
  ): Promise<void> {
    const { namespace = "", name = "" } = object.metadata;
    const resource = await this.resource<T>(object.apiVersion ?? "", object.kind ?? "");
    const seen = new AbortController();
    const signal = AbortSignal.any([seen.signal, AbortSignal.timeout(timeout)]);
    const fieldSelector = `metadata.name=${name}`;
    const where = { namespace, fieldSelector, signal, sendInitialEvents: true };
    const watching = resource.watch(where, ({ type, object }) => {
      if (type !== "BOOKMARK" && isSo(object as T)) seen.abort();
    });
    await watching.catch((error: unknown) => {
      if (!seen.signal.aborted) throw error;
    });
  }

  until<T>(ask: () => Promise<T>, options: WaitOptions) {
    return waitFor(ask, { timeout, interval, ...options });
  }

  async podUids(namespace?: string): Promise<ReadonlySet<string>> {
    const pods = await this.resource<KubeObject>("v1", "Pod");
    const { items } = await pods.list(namespace === undefined ? {} : { namespace });
    return new Set(items.map(({ metadata }) => metadata.uid ?? ""));
  }

  /** The server with its node, and all pods. */
  async cpuSeconds(): Promise<number> {
    const pids = [this.pid, ...processesOfPods(await this.podUids())];
    return pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  }
}
