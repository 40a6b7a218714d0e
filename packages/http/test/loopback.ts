import assert from "node:assert/strict";
import {
  Context,
  collectBody,
  createHttpClient,
  createHttpServer,
  type Handler,
  type HttpClient,
  type HttpClientOptions,
  type HttpRequest,
  type HttpResponse,
  type HttpServer,
  type HttpServerOptions,
  noLimits,
  type Peer,
  RequestError,
} from "@rookery/http";
import { serverCertificate, trustedCa } from "./certificates.ts";

export const protocols: readonly Peer["protocol"][] = ["HTTP/1.1", "HTTP/2.0"];

/** A request with all that a test does not care about. */
export function request(parts: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: "GET",
    path: "/",
    query: "",
    headers: {},
    signal: new AbortController().signal,
    context: Context.empty,
    ...parts,
  };
}

export async function text(response: HttpResponse): Promise<string> {
  return Buffer.from(await collectBody(response.body, { limit: 1 << 20 })).toString();
}

/** How a request failed; throws where it did not. */
export async function failure(answer: unknown): Promise<RequestError> {
  try {
    await answer;
  } catch (error) {
    assert.ok(error instanceof RequestError, String(error));
    return error;
  }
  return assert.fail("it did not fail");
}

export interface TestServer extends AsyncDisposable {
  readonly server: HttpServer;
  readonly errors: unknown[];
}

export type TestServerOptions = Partial<HttpServerOptions>;

/** A server on a free port of this machine, in the clear unless `tls` is given. */
export async function startServer(
  handler: Handler,
  options: TestServerOptions = {},
): Promise<TestServer> {
  const errors: unknown[] = [];
  const server = createHttpServer({ handler, onError: (error) => errors.push(error), ...options });
  await server.listen({ host: "127.0.0.1", port: 0 });
  return { server, errors, [Symbol.asyncDispose]: () => server.close({ graceMs: 0 }) };
}

export interface Loopback extends TestServer {
  readonly client: HttpClient;
  send(parts?: Partial<HttpRequest>): Promise<HttpResponse>;
}

export interface LoopbackOptions {
  readonly server?: TestServerOptions;
  readonly client?: Partial<HttpClientOptions>;
}

/** One for all tests that do not care. */
let shared: ReturnType<typeof serverCertificate> | undefined;

/** A TLS server and a client that speaks the protocol with it. */
export async function startLoopback(
  protocol: Peer["protocol"],
  handler: Handler,
  options: LoopbackOptions = {},
): Promise<Loopback> {
  shared ??= serverCertificate();
  const started = await startServer(handler, { tls: await shared, ...options.server });
  const client = createHttpClient({
    origin: started.server.url,
    allowH2: protocol === "HTTP/2.0",
    tls: { ca: await trustedCa() },
    limits: noLimits,
    ...options.client,
  });
  return {
    ...started,
    client,
    send: async (parts) => client.handler(request(parts)),
    async [Symbol.asyncDispose]() {
      await client.destroy();
      await started[Symbol.asyncDispose]();
    },
  };
}
