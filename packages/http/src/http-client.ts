import type { Duplex } from "node:stream";
import { type Dispatcher, Pool, ProxyAgent } from "undici";
import type { Handler } from "./message.ts";
import { createUndiciHandler } from "./undici-handler.ts";

/** PEM throughout. */
export interface ClientTls {
  /** The authorities to trust instead of the system's. */
  readonly ca?: string | readonly string[];
  readonly cert?: string;
  readonly key?: string;
  /** The name to ask for and to verify, where it is not the origin's host. */
  readonly servername?: string;
  /** False accepts any certificate of the server. */
  readonly rejectUnauthorized?: boolean;
}

export interface HttpClientOptions {
  /** Scheme, host and port, such as "https://10.0.0.1:6443". */
  readonly origin: string;
  readonly tls?: ClientTls;
  /** A Unix socket to connect to instead of the origin's host and port. */
  readonly socketPath?: string;
  /** An HTTP or SOCKS5 proxy, with user and password where it needs them. */
  readonly proxyUrl?: string;
  /** The most connections at a time; requests beyond wait. Without a limit where absent. */
  readonly connections?: number;
  /** False speaks HTTP/1.1 only. */
  readonly allowH2?: boolean;
  readonly timeouts?: ClientTimeouts;
}

/** In milliseconds; 0 waits without end. */
export interface ClientTimeouts {
  /** For the connection, TLS included. 10 s where absent. */
  readonly connect?: number;
  /** From the request until the response's headers. 300 s where absent. */
  readonly headers?: number;
  /** Between two chunks of a response's body. 0 where absent: a watch may be silent for long. */
  readonly body?: number;
}

export interface HttpClient extends AsyncDisposable {
  readonly handler: Handler;
  /** New requests use this certificate; those on their way finish with the one they began with. */
  replaceTls(tls: ClientTls): void;
  /** Takes no more requests and waits for those on their way. */
  close(): Promise<void>;
  /** Aborts what is on its way, switched protocols included. */
  destroy(): Promise<void>;
}

/** kube-apiserver closes an idle connection after 90 s: be well before it. */
const keepAliveTimeout = 30_000;

/** A client for one origin, which keeps connections and speaks HTTP/1.1 and HTTP/2. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const sockets = new Set<Duplex>();
  const pools = new Set<Dispatcher>();
  let current = createPools(options, pools);

  const handler = createUndiciHandler({
    origin: options.origin,
    dispatcher: () => current.any(),
    http1Dispatcher: () => current.http1(),
    onSocket: (socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    },
  });
  const destroy = async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all(Array.from(pools, (pool) => pool.destroy()));
  };
  return {
    handler,
    replaceTls(tls) {
      for (const pool of pools) void retire(pool, pools);
      current = createPools({ ...options, tls }, pools);
    },
    close: async () => {
      await Promise.all(Array.from(pools, (pool) => retire(pool, pools)));
    },
    destroy,
    [Symbol.asyncDispose]: destroy,
  };
}

interface Pools {
  any(): Dispatcher;
  http1(): Dispatcher;
}

function createPools(options: HttpClientOptions, pools: Set<Dispatcher>): Pools {
  const create = (allowH2: boolean) => {
    const pool = createDispatcher({ ...options, allowH2 });
    pools.add(pool);
    return pool;
  };
  const { allowH2 = true } = options;
  const any = create(allowH2);
  let http1 = allowH2 ? undefined : any;
  return {
    any: () => any,
    http1: () => {
      http1 ??= create(false);
      return http1;
    },
  };
}

async function retire(pool: Dispatcher, pools: Set<Dispatcher>): Promise<void> {
  await pool.close();
  pools.delete(pool);
}

function createDispatcher(options: HttpClientOptions): Dispatcher {
  const { origin, socketPath, connections, allowH2 = true, timeouts = {} } = options;
  const tls = connectOptions(options);
  const shared = {
    allowH2,
    connectTimeout: timeouts.connect ?? 10_000,
    headersTimeout: timeouts.headers ?? 300_000,
    bodyTimeout: timeouts.body ?? 0,
    keepAliveTimeout,
    ...(connections !== undefined && { connections }),
  };
  if (options.proxyUrl === undefined) {
    return new Pool(origin, { ...shared, connect: tls, ...(socketPath && { socketPath }) });
  }
  return new ProxyAgent({ ...shared, uri: options.proxyUrl, requestTls: tls });
}

function connectOptions({ tls = {}, allowH2 = true }: HttpClientOptions) {
  const { ca, ...rest } = tls;
  return { ...rest, allowH2, ...(ca !== undefined && { ca: [ca].flat() }) };
}
