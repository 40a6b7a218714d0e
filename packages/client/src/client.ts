import { Context, type Handler, type HttpRequest, type HttpResponse } from "@rookery/http";
import { type KubeObject, parseApiVersion, type Resource, type TypeMeta } from "@rookery/kube";
import { createDiscovery, type Discovery } from "./discovery/discovery.ts";
import type { PartialKind } from "./discovery/resource-index.ts";
import { createRestMapper, type RestMapper } from "./discovery/rest-mapper.ts";
import type { ClientConfig } from "./kubeconfig/client-config.ts";
import { askJson } from "./resource/exchange.ts";
import { createResourceClient, type ResourceClient } from "./resource/resource-client.ts";
import { createTransport, type Transport, type TransportOptions } from "./transport/transport.ts";

export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  /** Such as "v1.34.4". */
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly platform: string;
}

/** A request for any path, GET by default. */
export type RawRequest = Pick<HttpRequest, "path"> & Partial<HttpRequest>;

/** Talks to one API server as one user. */
export interface Client extends AsyncDisposable {
  /** The namespace of objects without one. */
  readonly namespace: string;
  readonly handler: Handler;
  readonly discovery: Discovery;
  readonly mapper: RestMapper;
  resource<T extends KubeObject>(resource: Resource): ResourceClient<T>;
  /** The resource of a kind. Rejects with NoMatchError. */
  kind<T extends KubeObject>(kind: TypeMeta | PartialKind): Promise<ResourceClient<T>>;
  /** Resolves to any response, also failed ones; its body must be read or discarded. */
  raw(request: RawRequest): Promise<HttpResponse>;
  version(options?: { readonly signal?: AbortSignal }): Promise<VersionInfo>;
  /** Rejects new requests and waits for active ones. */
  close(): Promise<void>;
  /** Aborts active requests. */
  destroy(): Promise<void>;
}

export function createClient(config: ClientConfig, options: TransportOptions = {}): Client {
  return createClientOver(createTransport(config, options), { namespace: config.namespace });
}

/** A client over any handler, such as a test's, or a server in this process. */
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
 * The same client with an additional signal, such as that of one reconcile. Shares discovery, so
 * that an aborted discovery does not delay others.
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
