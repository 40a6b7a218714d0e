import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { connect } from "node:tls";
import { Context, collectBody, createHttpClient, type HttpClient } from "@rookery/http";
import { type Kubernetes, type KubernetesOptions, startKubernetes } from "@rookery/testing";

const newline = 10;
const closingBrace = 125;

/** A server under load, and how it is asked. */
export interface BenchServer extends AsyncDisposable {
  readonly name: string;
  readonly kubernetes: Kubernetes;
  /** From the start of its processes until it answered that it is ready, in milliseconds. */
  readonly startMs: number;
  /** Throws where the answer is not good. */
  ask(method: string, path: string, body?: object): Promise<Uint8Array>;
  /** Tells of each event of a watch, until aborted. */
  watch(path: string, onEvent: () => void, signal: AbortSignal): Promise<void>;
  /** Of all its processes, each page divided among those that share it, in MB. */
  memory(): number;
}

export async function startBenchServer(
  name: string,
  options: KubernetesOptions,
): Promise<BenchServer> {
  const started = performance.now();
  const kubernetes = await startKubernetes({ private: true, ...options });
  const startMs = performance.now() - started;
  const client = clientOf(kubernetes);
  return {
    name,
    kubernetes,
    startMs,
    ask: (method, path, body) => ask(client, method, { path, body }),
    watch: (path, onEvent, signal) => watch(kubernetes, { path, onEvent, signal }),
    memory: () => memoryOf(kubernetes.description.folder),
    async [Symbol.asyncDispose]() {
      await client.destroy();
      await kubernetes[Symbol.asyncDispose]();
    },
  };
}

function clientOf({ server, ca, admin }: Kubernetes): HttpClient {
  const tls = { ca, cert: admin.certificate, key: admin.key };
  return createHttpClient({ origin: server, tls });
}

async function ask(
  { handler }: HttpClient,
  method: string,
  { path, body }: { path: string; body: object | undefined },
): Promise<Uint8Array> {
  const [pathname = "", query = ""] = path.split("?");
  const response = await handler({
    method,
    path: pathname,
    query,
    headers: { accept: "application/json", ...(body && { "content-type": "application/json" }) },
    ...(body && { body: Buffer.from(JSON.stringify(body)) }),
    signal: new AbortController().signal,
    context: Context.empty,
  });
  const bytes = await collectBody(response.body, { limit: 1 << 28 });
  if (response.status >= 300) throw new Error(`${method} ${path}: ${Buffer.from(bytes)}`);
  return bytes;
}

/** By a bare socket: what is measured is the server, so who listens must cost little. */
async function watch(
  { server, ca, admin }: Kubernetes,
  { path, onEvent, signal }: { path: string; onEvent: () => void; signal: AbortSignal },
): Promise<void> {
  const { hostname, port } = new URL(server);
  const socket = connect({
    host: hostname,
    port: Number(port),
    ca,
    cert: admin.certificate,
    key: admin.key,
  });
  await once(socket, "secureConnect");
  socket.on("error", () => {});
  signal.addEventListener("abort", () => socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\naccept: application/json\r\n\r\n`);
  let last = 0;
  socket.on("data", (chunk: Buffer) => {
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) {
      // That of an event follows its end; those of HTTP follow a carriage return.
      if ((at > 0 ? chunk[at - 1] : last) === closingBrace) onEvent();
    }
    last = chunk.at(-1) ?? last;
  });
}

/** All processes whose command line names the folder of the server. */
function memoryOf(folder: string): number {
  let kilobytes = 0;
  for (const file of globSync("/proc/[0-9]*/cmdline")) {
    try {
      const isOurs = readFileSync(file, "utf8").includes(folder);
      if (!isOurs) continue;
      const rollup = readFileSync(file.replace("cmdline", "smaps_rollup"), "utf8");
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
    } catch {
      // It has ended in the meantime.
    }
  }
  return kilobytes / 1024;
}
