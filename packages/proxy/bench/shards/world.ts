import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createClient, loadConfig } from "@rookery/client";
import { smallNodeEnvironment } from "@rookery/kube";
import {
  createTemporaryFolder,
  type Kubernetes,
  startChild,
  startKubernetes,
  waitFor,
} from "@rookery/testing";
import { emptyShard, flock, flocks, flocksCrd, namespaces, objectCount } from "./flocks.ts";

export interface ShardsWorld extends AsyncDisposable {
  readonly kubernetes: Kubernetes;
  /** Starts an instance that watches these namespaces, or all; it has ended when this resolves. */
  run(how: How): Promise<Report>;
  /** A counter of the API server, all that match together. */
  counter(pattern: RegExp): Promise<number>;
}

export interface How {
  readonly by: "flag" | "proxy";
  /** All where absent. */
  readonly namespaces?: readonly string[];
}

interface Report {
  readonly objects: number;
  readonly milliseconds: number;
  /** Megabytes, of the proxy too. */
  readonly resident: number;
}

const proxyProgram = fileURLToPath(new URL("../proxy/program.ts", import.meta.url));
const instanceProgram = fileURLToPath(new URL("./instance.ts", import.meta.url));

export async function startShardsWorld(): Promise<ShardsWorld> {
  await using stack = new AsyncDisposableStack();
  const kubernetes = stack.use(await startKubernetes({ private: true, controllerManager: false }));
  const folder = stack.use(await createTemporaryFolder("shards")).path;
  console.error(`creating ${objectCount} objects …`);
  await createObjects(kubernetes);
  const owned = stack.move();
  return {
    kubernetes,
    run: (how) => run(kubernetes, how, folder),
    async counter(pattern) {
      const { body } = await kubernetes.request("GET", "/metrics");
      const found = [...`${body}`.matchAll(new RegExp(`${pattern.source} (.*)$`, "gm"))];
      return found.reduce((sum, match) => sum + Number(match.at(-1)), 0);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function createObjects(kubernetes: Kubernetes): Promise<void> {
  await kubernetes.applyCrd(flocksCrd);
  for (const name of [...namespaces, ...emptyShard]) {
    await kubernetes.request("POST", "/api/v1/namespaces", { body: { metadata: { name } } });
  }
  await using client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
  const resource = client.resource(flocks);
  let next = 0;
  const write = async () => {
    while (next < objectCount) await resource.create(flock(next++));
  };
  await Promise.all(Array.from({ length: 32 }, write));
}

let runs = 0;

async function run({ kubeconfig }: Kubernetes, how: How, folder: string): Promise<Report> {
  await using stack = new AsyncDisposableStack();
  const { by, namespaces: watched = [] } = how;
  if (by === "flag") return runInstance([kubeconfig, ...watched]);
  const out = join(folder, `proxy-${runs++}`);
  const proxy = stack.use(
    await startChild({
      name: "proxy",
      command: process.execPath,
      args: [
        proxyProgram,
        `--upstream=${kubeconfig}`,
        ...watched.map((namespace) => `--namespace=${namespace}`),
        "--identity=proxy",
        "--bind-address=127.0.0.1:0",
        "--health-addr=127.0.0.1:0",
        "--metrics-bind-address=0",
        `--app-kubeconfig-out=${out}.kubeconfig`,
      ],
      env: { ...process.env, ...smallNodeEnvironment },
      log: `${out}.log`,
    }),
  );
  const started = performance.now();
  await waitFor(() => isReady(`${out}.log`), { what: "the proxy" });
  const report = await runInstance([`${out}.kubeconfig`]);
  // Until it has let go of what starting took, which it does by itself.
  await delay(Math.max(0, started + settledMs - performance.now()));
  return { ...report, resident: report.resident + (await residentOf(proxy.pid)) };
}

const settledMs = 12_000;

async function isReady(log: string): Promise<boolean> {
  const [, url] = /"health-server","url":"([^"]+)"/.exec(await readFile(log, "utf8")) ?? [];
  return url !== undefined && (await fetch(`${url}/readyz`)).status === 200;
}

/** In the environment that managers are deployed with. */
async function runInstance(args: readonly string[]): Promise<Report> {
  const child = spawn(process.execPath, [instanceProgram, ...args], {
    env: { ...process.env, ...smallNodeEnvironment },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value } = await lines.next();
  child.stdin.end();
  await ended;
  if (value === undefined) throw new Error("could not measure an instance: it told nothing");
  return JSON.parse(value) as Report;
}

async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
