import type { LookupFunction } from "node:net";
import { InvalidOriginError, InvalidThumbprintError } from "./errors.ts";
import { defaultLimits, type ExchangeLimits, limitExchanges } from "./exchange-limits.ts";
import { compose, type Handler } from "./message.ts";
import { parseThumbprint } from "./thumbprint.ts";
import type { Destroyable } from "./undici-exchange.ts";
import { createUndiciHandler } from "./undici-handler.ts";
import { UndiciPools } from "./undici-pools.ts";

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
  /**
   * The SHA-1 or SHA-256 in hex that the server's certificate must have. It is then trusted
   * whoever has signed it and whatever its name is. Not through a proxy.
   */
  readonly thumbprint?: string;
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
  /**
   * True lets requests without a body share connections by HTTP/2, where the server speaks it: for
   * a process with very many watches. Where absent all go by HTTP/1.1, which undici does best.
   */
  readonly allowH2?: boolean;
  readonly timeouts?: ClientTimeouts;
  /**
   * Resolves the origin's host name instead of the system, for each connection; the connection goes to
   * the addresses that it returns and to no other. Not called where the host is an address.
   */
  readonly lookup?: LookupFunction;
  /**
   * What each exchange may cost, instead of 60 s and 8 MiB; `noLimits` is for proxies alone. One
   * request may have limits of its own, by `exchangeLimitsKey`.
   */
  readonly limits?: Partial<ExchangeLimits>;
}

/** In milliseconds, beside the limits of the whole exchange; 0 waits without end. */
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

/**
 * A client for one origin, which keeps its connections.
 * Throws `InvalidOriginError`, `InvalidThumbprintError`.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  if (!isOrigin(options.origin)) throw new InvalidOriginError(options.origin);
  checkThumbprint(options);
  const pools = new UndiciPools(options);
  const active = new Set<Destroyable>();
  const sending = createUndiciHandler({
    origin: options.origin,
    dispatcher: (needsHttp1) => pools.forRequest(needsHttp1),
    active,
  });
  const limits = { ...defaultLimits, ...options.limits };
  const handler = compose(sending, limitExchanges(limits, options.origin));
  const destroy = async () => {
    for (const one of active) one.destroy();
    await pools.destroy();
  };
  return {
    handler,
    replaceTls: (tls) => pools.replaceTls(tls),
    close: () => pools.close(),
    destroy,
    [Symbol.asyncDispose]: destroy,
  };
}

function checkThumbprint({ tls, proxyUrl }: HttpClientOptions): void {
  if (tls?.thumbprint === undefined) return;
  parseThumbprint(tls.thumbprint);
  if (proxyUrl) throw new InvalidThumbprintError(tls.thumbprint, "there is a proxy in between");
}

function isOrigin(origin: string): boolean {
  const url = URL.parse(origin);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "") return false;
  return url.pathname === "/" && url.search === "" && url.hash === "";
}
