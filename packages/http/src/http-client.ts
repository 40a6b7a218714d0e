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
  /** In place of the system's authorities. */
  readonly ca?: string | readonly string[];
  readonly cert?: string;
  readonly key?: string;
  /** The name in the server's certificate, if it is not the origin's host. */
  readonly servername?: string;
  /** False accepts any certificate of the server. */
  readonly rejectUnauthorized?: boolean;
  /**
   * The SHA-1 or SHA-256 in hex of the server's certificate, which is then trusted regardless of
   * issuer and name. Not through a proxy.
   */
  readonly thumbprint?: string;
}

export interface HttpClientOptions {
  /** Scheme, host and port, such as "https://10.0.0.1:6443". */
  readonly origin: string;
  readonly tls?: ClientTls;
  /** In place of the origin's host and port. */
  readonly socketPath?: string;
  /** An HTTP or SOCKS5 proxy, with user and password if necessary. */
  readonly proxyUrl?: string;
  /** The maximum number of connections; further requests wait. No limit by default. */
  readonly connections?: number;
  /**
   * Shares HTTP/2 connections for requests without a body, for processes with very many watches.
   * By default all use HTTP/1.1.
   */
  readonly allowH2?: boolean;
  readonly timeouts?: ClientTimeouts;
  /**
   * Resolves the origin's host name for each connection, in place of the system. Not called for
   * addresses.
   */
  readonly lookup?: LookupFunction;
  /**
   * The limits of each exchange, 60 s and 8 MiB by default; `noLimits` is only for proxies.
   * `exchangeLimitsKey` overrides them for one request.
   */
  readonly limits?: Partial<ExchangeLimits>;
}

/** In milliseconds, in addition to `limits`; 0 means no limit. */
export interface ClientTimeouts {
  /** For the connection with TLS; 10 s by default. */
  readonly connect?: number;
  /** From the request to the response headers; 300 s by default. */
  readonly headers?: number;
  /** Between chunks of a response body; no limit by default, because watches may be silent. */
  readonly body?: number;
}

export interface HttpClient extends AsyncDisposable {
  readonly handler: Handler;
  /** New requests use this certificate; active ones keep theirs. */
  replaceTls(tls: ClientTls): void;
  /** Rejects new requests and waits for active ones. */
  close(): Promise<void>;
  /** Aborts active requests and switched protocols. */
  destroy(): Promise<void>;
}

/**
 * A client for one origin with persistent connections. Throws `InvalidOriginError`,
 * `InvalidThumbprintError`.
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
