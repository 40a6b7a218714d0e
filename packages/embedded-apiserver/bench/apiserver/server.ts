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
  /** How long processors have worked for all its processes. */
  processorSeconds(): number;
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
    processorSeconds: () => processorSecondsOf(kubernetes.description.folder),
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

function memoryOf(folder: string): number {
  const kilobytes = (rollup: string) => Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  return sumOver(folder, "smaps_rollup", kilobytes) / 1024;
}

function processorSecondsOf(folder: string): number {
  const ticks = (stat: string) => {
    // What is in parentheses is a name, with any characters in it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(fields[11]) + Number(fields[12]);
  };
  return sumOver(folder, "stat", ticks) / 100;
}

/** Over all processes whose command line names the folder of the server. */
function sumOver(folder: string, file: string, read: (text: string) => number): number {
  let sum = 0;
  for (const cmdline of globSync("/proc/[0-9]*/cmdline")) {
    try {
      if (!readFileSync(cmdline, "utf8").includes(folder)) continue;
      sum += read(readFileSync(cmdline.replace("cmdline", file), "utf8"));
    } catch {
      // It has ended in the meantime.
    }
  }
  return sum;
}
