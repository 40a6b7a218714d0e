// Single files: all of undici, with its fetch and WebSocket, takes 6 MB more memory.

import { createSecureContext } from "node:tls";
import type { buildConnector, Dispatcher } from "undici";
import connect from "undici/lib/api/api-connect.js";
import createConnector from "undici/lib/core/connect.js";
import DispatcherBase from "undici/lib/dispatcher/dispatcher.js";
import Pool from "undici/lib/dispatcher/pool.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";
import type { ClientTls, HttpClientOptions } from "./http-client.ts";
import { pinnedConnector } from "./thumbprint.ts";

// As undici's index does: proxy agents open tunnels with it.
Object.assign(DispatcherBase.prototype, { connect });

/** Well before kube-apiserver closes an idle connection after 90 s. */
const keepAliveTimeout = 30_000;

/** For response headers; undici's default of 16 KiB is too small for many warnings. */
const maxHeaderSize = 64 * 1024;

type Kind = "any" | "http1";

/** The current pools of a client, and retired ones with active requests. */
export class UndiciPools {
  #options: HttpClientOptions;
  readonly #all = new Set<Dispatcher>();
  readonly #current = new Map<Kind, Dispatcher>();
  #closed = false;

  constructor(options: HttpClientOptions) {
    this.#options = options;
  }

  /** The pool for a new request. */
  forRequest(needsHttp1: boolean): Dispatcher {
    const kind = needsHttp1 || !this.#options.allowH2 ? "http1" : "any";
    return this.#current.get(kind) ?? this.#open(kind);
  }

  replaceTls(tls: ClientTls): void {
    this.#options = { ...this.#options, tls };
    for (const pool of this.#current.values()) void this.#retire(pool);
    this.#current.clear();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(Array.from(this.#all, (pool) => this.#retire(pool)));
  }

  async destroy(): Promise<void> {
    this.#closed = true;
    await Promise.all(Array.from(this.#all, (pool) => pool.destroy()));
  }

  #open(kind: Kind): Dispatcher {
    const pool = createPool({ ...this.#options, allowH2: kind === "any" });
    this.#all.add(pool);
    this.#current.set(kind, pool);
    // A request on a closed pool fails.
    if (this.#closed) void this.#retire(pool);
    pool.on("disconnect", (_, __, error) => {
      if (isGoaway(error)) this.#leave(kind, pool);
    });
    return pool;
  }

  /**
   * After a GOAWAY undici reconnects only after the last response of the old connection, so a
   * watch would block requests for hours. A new pool does not wait.
   */
  #leave(kind: Kind, pool: Dispatcher): void {
    if (this.#current.get(kind) === pool) this.#current.delete(kind);
    void this.#retire(pool);
  }

  async #retire(pool: Dispatcher): Promise<void> {
    if (!("destroyed" in pool && pool.destroyed)) await pool.close();
    this.#all.delete(pool);
  }
}

function isGoaway(error: Error | undefined): boolean {
  return error?.message.includes('"GOAWAY"') ?? false;
}

function createPool(options: HttpClientOptions): Dispatcher {
  const { origin, socketPath, connections, allowH2 = false, timeouts = {} } = options;
  const connect = connectOptions(options);
  const shared = {
    allowH2,
    connectTimeout: timeouts.connect ?? 10_000,
    headersTimeout: timeouts.headers ?? 300_000,
    bodyTimeout: timeouts.body ?? 0,
    keepAliveTimeout,
    maxHeaderSize,
    ...(connections !== undefined && { connections }),
  };
  if (options.proxyUrl === undefined) {
    const connector = connectorOf(options, shared.connectTimeout);
    return new Pool(origin, { ...shared, connect: connector, ...(socketPath && { socketPath }) });
  }
  return new ProxyAgent({ ...shared, uri: options.proxyUrl, requestTls: connect });
}

function connectorOf(options: HttpClientOptions, timeout: number) {
  const connect = connectOptions(options);
  const { origin, tls = {} } = options;
  if (tls.thumbprint !== undefined) return pinnedConnector({ ...connect, timeout }, tls.thumbprint);
  if (!origin.startsWith("https:") || options.socketPath) return connect;
  const { ca: _, cert: __, key: ___, ...rest } = connect;
  return sharingConnector({ ...rest, timeout }, tls);
}

function connectOptions({ tls = {}, allowH2 = false, lookup }: HttpClientOptions) {
  const { ca, thumbprint: _, ...rest } = tls;
  return {
    ...rest,
    allowH2,
    ...(ca !== undefined && { ca: [ca].flat() }),
    ...(lookup && { lookup }),
  };
}

type Connector = buildConnector.connector;

/**
 * Connects with a shared secure context. Otherwise each connection has its own copy of the
 * certificates, tens of kilobytes outside of V8's accounting.
 */
function sharingConnector(
  options: buildConnector.BuildOptions,
  { ca, cert, key }: Pick<ClientTls, "ca" | "cert" | "key">,
): Connector {
  const create = () => {
    const material = { ...(ca && { ca: [ca].flat() }), ...(cert && { cert }), ...(key && { key }) };
    return createConnector({ ...options, secureContext: createSecureContext(material) });
  };
  let connect: Connector | undefined;
  return (target, callback) => {
    try {
      connect ??= create();
    } catch (error) {
      // An invalid certificate or key is reported as a failed connection.
      return callback(error as Error, null);
    }
    connect(target, callback);
  };
}
