import { Context, type Handler, type HttpRequest, type HttpResponse } from "@rookery/http";
import { type KubeObject, parseApiVersion, type Resource, type TypeMeta } from "@rookery/kube";
import { createDiscovery, type Discovery } from "./discovery/discovery.ts";
import type { PartialKind } from "./discovery/resource-index.ts";
import { createRestMapper, type RestMapper } from "./discovery/rest-mapper.ts";
import type { ClientConfig } from "./kubeconfig/client-config.ts";
import { askJson } from "./resource/exchange.ts";
import { createResourceClient, type ResourceClient } from "./resource/resource-client.ts";
import { createTransport, type Transport, type TransportOptions } from "./transport/transport.ts";

/** What a server says about its version. */
export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  /** Such as "v1.34.4". */
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly platform: string;
}

/** A request for any path; a GET where no method is given. */
export type RawRequest = Pick<HttpRequest, "path"> & Partial<HttpRequest>;

/** Talks to one API server as one user. */
export interface Client extends AsyncDisposable {
  /** Where objects live whose namespace nobody named. */
  readonly namespace: string;
  readonly handler: Handler;
  readonly discovery: Discovery;
  readonly mapper: RestMapper;
  resource<T extends KubeObject>(resource: Resource): ResourceClient<T>;
  /** The resource of a kind as the server serves it. Rejects with NoMatchError. */
  kind<T extends KubeObject>(kind: TypeMeta | PartialKind): Promise<ResourceClient<T>>;
  /** Resolves to any answer, errors too; its body has to be read or discarded. */
  raw(request: RawRequest): Promise<HttpResponse>;
  version(options?: { readonly signal?: AbortSignal }): Promise<VersionInfo>;
  /** Takes no more requests and waits for those on their way. */
  close(): Promise<void>;
  /** Aborts what is on its way. */
  destroy(): Promise<void>;
}

/** A client of the API server that a configuration names. */
export function createClient(config: ClientConfig, options: TransportOptions = {}): Client {
  return createClientOver(createTransport(config, options), { namespace: config.namespace });
}

/** A client over any handler: one that a test wrote, or a server in this process. */
export function createClientOver(
  transport: Handler | Transport,
  options: { readonly namespace?: string } = {},
): Client {
  const { handler, close, destroy } = typeof transport === "function" ? open(transport) : transport;
  const discovery = createDiscovery(handler);
  const mapper = createRestMapper(discovery);
  return {
    namespace: options.namespace ?? "default",
    handler,
    discovery,
    mapper,
    resource: (resource) => createResourceClient(handler, resource),
    kind: kindsOf(handler, mapper),
    raw: async (request) => handler({ ...emptyRequest(), ...request }),
    version: ({ signal } = {}) => askJson(handler, { method: "GET", path: "/version", signal }),
    close,
    destroy,
    [Symbol.asyncDispose]: destroy,
  };
}

/**
 * The same client, whose requests end with a signal, too: what one reconcile asks, for example. Discovery
 * is shared, so that nobody waits anew for an answer that another one gave up.
 */
export function withSignal(client: Client, signal: AbortSignal): Client {
  const handler: Handler = (request) =>
    client.handler({ ...request, signal: AbortSignal.any([request.signal, signal]) });
  const { discovery, mapper } = client;
  return {
    ...createClientOver(handler, client),
    discovery,
    mapper,
    kind: kindsOf(handler, mapper),
  };
}

function kindsOf(handler: Handler, mapper: RestMapper): Client["kind"] {
  return async (kind) =>
    createResourceClient(handler, await mapper.resourceForKind(partialKindOf(kind)));
}

function open(handler: Handler): Pick<Transport, "handler" | "close" | "destroy"> {
  return { handler, close: async () => {}, destroy: async () => {} };
}

function partialKindOf(kind: TypeMeta | PartialKind): PartialKind {
  if (!("apiVersion" in kind)) return kind;
  return { ...parseApiVersion(kind.apiVersion), kind: kind.kind };
}

function emptyRequest(): Omit<HttpRequest, "path"> {
  const { signal } = new AbortController();
  return { method: "GET", query: "", headers: {}, signal, context: Context.empty };
}
