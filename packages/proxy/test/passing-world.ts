import {
  Context,
  collectBody,
  createHttpClient,
  type Handler,
  type HttpClient,
  type HttpRequest,
  type HttpResponse,
} from "@rookery/http";
import { startFakeUpstream } from "./fake-upstream.ts";
import { type RunningProxy, startProxy } from "./start-proxy.ts";

/** A client, a proxy and an upstream. */
export interface World extends AsyncDisposable {
  readonly proxy: RunningProxy;
  readonly client: HttpClient;
  readonly seen: HttpRequest[];
  send(parts?: Partial<HttpRequest>): Promise<HttpResponse>;
}

export interface WorldOptions {
  readonly args?: readonly string[];
  readonly allowH2?: boolean;
}

/** A client, the proxy with the app's identity, and an upstream that answers as the test says. */
export async function createWorld(handler: Handler, options: WorldOptions = {}): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const seen: HttpRequest[] = [];
  const upstream = stack.use(
    await startFakeUpstream((request) => {
      seen.push(request);
      return handler(request);
    }),
  );
  const args = ["--identity=app", `--upstream=${upstream.kubeconfig}`, ...(options.args ?? [])];
  const proxy = stack.use(await startProxy("", args));
  const tls = { ca: await proxy.ca() };
  const { allowH2 = false } = options;
  const client = stack.use(createHttpClient({ origin: proxy.appUrl, tls, allowH2 }));
  const owned = stack.move();
  return {
    proxy,
    client,
    seen,
    send: async (parts) => client.handler(request(parts)),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A request with all that a test does not care about. */
export function request(parts: Partial<HttpRequest> = {}): HttpRequest {
  const { signal } = new AbortController();
  const context = Context.empty;
  return { method: "GET", path: "/api", query: "", headers: {}, signal, context, ...parts };
}

export async function text({ body }: HttpResponse): Promise<string> {
  return Buffer.from(await collectBody(body, { limit: 1 << 24 })).toString();
}

export const ok = (
  body: HttpResponse["body"],
  headers: HttpResponse["headers"] = {},
): HttpResponse => ({
  status: 200,
  headers,
  body,
});
