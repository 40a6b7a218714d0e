import { createTransport, loadConfig } from "@rookery/client";
import { type Body, Context, type Handler, type Sink, writeBody } from "@rookery/http";
import type { Kubernetes } from "@rookery/testing";
import { type RunningProxy, startProxy } from "./start-proxy.ts";
import { widgetCrd } from "./widgets.ts";

/** A proxy that narrows, and who asks by it. */
export interface ScopedProxy extends AsyncDisposable {
  readonly proxy: RunningProxy;
  ask(path: string, options?: AskOptions): Promise<Answer>;
  /** How many objects it has dropped, by its metrics. */
  dropped(): Promise<number>;
}

export interface AskOptions {
  readonly method?: string;
  readonly accept?: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Where the answer goes on without end: when enough of it has come. */
  readonly until?: (bytes: Buffer) => boolean;
}

export interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
  /** The body as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what a path answers is known to the test alone
  readonly body: any;
  /** The body as lines of JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly events: any[];
}

/** Starts a proxy before a Kubernetes, with these flags. */
export async function startScopedProxy(
  { kubeconfig, description }: Kubernetes,
  args: readonly string[],
): Promise<ScopedProxy> {
  await using stack = new AsyncDisposableStack();
  const upstream = args.some((arg) => arg.startsWith("--upstream="));
  const all = upstream ? args : [`--upstream=${kubeconfig}`, ...args];
  const proxy = stack.use(await startProxy(description.kubectl, all));
  const { handler } = stack.use(createTransport(await loadConfig({ path: proxy.kubeconfig })));
  const owned = stack.move();
  return {
    proxy,
    ask: (path, options) => ask(handler, path, options),
    dropped: () => droppedBy(proxy),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Has widgets of a group, until the stack is disposed of: the server is shared. */
export async function useCrd(
  kubernetes: Kubernetes,
  group: string,
  stack: AsyncDisposableStack,
): Promise<void> {
  const crd = widgetCrd(group);
  stack.defer(async () => {
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    await kubernetes.request("DELETE", `${path}/${crd.metadata.name}`);
  });
  await kubernetes.applyCrd(crd);
}

/** Asks the server itself, as its administrator. */
export async function askDirectly(
  { kubeconfig }: Kubernetes,
  path: string,
  options?: AskOptions,
): Promise<Answer> {
  await using transport = createTransport(await loadConfig({ path: kubeconfig }));
  // Awaited: else the transport would be closed first.
  return await ask(transport.handler, path, options);
}

async function ask(handler: Handler, target: string, options: AskOptions = {}): Promise<Answer> {
  const { method = "GET", accept = "application/json", body, until = () => false } = options;
  const [path = "", query = ""] = target.split("?");
  const { contentType = "application/json" } = options;
  const enough = new AbortController();
  const response = await handler({
    method,
    path,
    query,
    context: Context.empty,
    headers: { accept, ...(body !== undefined && { "content-type": contentType }) },
    signal: AbortSignal.any([enough.signal, AbortSignal.timeout(120_000)]),
    ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
  });
  const bytes = await readUntil(response.body, until, enough);
  return {
    status: response.status,
    bytes,
    get body() {
      return JSON.parse(bytes.toString());
    },
    get events() {
      const lines = bytes.toString().trim().split("\n");
      return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
    },
  };
}

async function readUntil(
  body: Body,
  until: (bytes: Buffer) => boolean,
  enough: AbortController,
): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  const sink: Sink = {
    signal: enough.signal,
    drained: async () => {},
    write(chunk) {
      bytes = Buffer.concat([bytes, chunk]);
      if (until(bytes)) enough.abort();
      return true;
    },
  };
  try {
    await writeBody(body, sink);
  } catch (error) {
    if (!enough.signal.aborted) throw error;
  }
  return bytes;
}

async function droppedBy({ metricsUrl }: RunningProxy): Promise<number> {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  const [, count = "0"] =
    /^rookery_proxy_objects_total\{.*decision="dropped"\} (.*)$/m.exec(text) ?? [];
  return Number(count);
}
