import {
  type ClientTls,
  compose,
  createHttpClient,
  type Handler,
  type HttpClient,
  type HttpClientOptions,
  type Interceptor,
  isLoopback,
  noLimits,
} from "@rookery/http";
import type { CredentialSource } from "../credentials/credential.ts";
import { createCredentialSource } from "../credentials/credential-source.ts";
import type { ClientConfig } from "../kubeconfig/client-config.ts";
import { systemTime, type Timekeeper } from "../timekeeper.ts";
import { authenticate } from "./authentication.ts";
import { acceptGzip } from "./compression.ts";
import { limitAnswers, type TransportLimits } from "./limit-answers.ts";
import { limitReads } from "./limit-reads.ts";
import { limitRate, type RateLimit } from "./rate-limit.ts";
import { addBasePath, impersonate, setUserAgent } from "./request-headers.ts";
import { retryRequests } from "./retry.ts";
import { requestTimeout } from "./timeout.ts";
import { reloadTlsFiles, tlsFilesOf, tlsOf } from "./tls-files.ts";
import { type Trace, traceRequests } from "./tracing.ts";
import { reportWarnings } from "./warnings.ts";

export interface TransportOptions {
  /** The part before "/" is the default field manager. "" sends no header. */
  readonly userAgent?: string;
  /** In milliseconds with retries; 65 s by default, 0 means no limit. Not for watches. */
  readonly timeoutMs?: number;
  /** Limits of responses and watches. */
  readonly limits?: Partial<TransportLimits>;
  /** The maximum number of retries; 10 by default, as in client-go. */
  readonly retries?: number;
  /** No limit by default, because the server has priority and fairness. */
  readonly rateLimit?: RateLimit;
  /** The maximum number of concurrent reads without watches; no limit by default. */
  readonly concurrentReads?: number;
  readonly trace?: Trace;
  /** Called once for each warning of the server. */
  readonly onWarning?: (text: string) => void;
  /** Whether to request gzip; by default, unless the server is on this machine. */
  readonly compression?: boolean;
  /** False uses only HTTP/1.1. */
  readonly allowH2?: boolean;
  /** Outermost, in this order. */
  readonly interceptors?: readonly Interceptor[];
  /** In place of the configured credentials except a client certificate. */
  readonly credentials?: CredentialSource;
  readonly timekeeper?: Timekeeper;
  /** From 0 up to 1. */
  readonly random?: () => number;
  /** For tests. */
  readonly createHttpClient?: (options: HttpClientOptions) => HttpClient;
}

export interface Transport extends AsyncDisposable {
  readonly handler: Handler;
  /** Rejects new requests and waits for active ones. */
  close(): Promise<void>;
  /** Aborts active requests. */
  destroy(): Promise<void>;
}

/** kube-apiserver's own timeout of 60 s has a better error. */
const defaultTimeout = 65_000;
const defaultRetries = 10;
const defaultUserAgent = `rookery/unknown (${process.platform}/${process.arch})`;

/**
 * Creates a transport. From the outside in: `interceptors`, timeout, retry, limits, then for each
 * attempt warnings, rate limit, concurrent reads, trace, user agent, impersonation, renewed
 * certificates, authentication, compression, base path.
 */
export function createTransport(config: ClientConfig, options: TransportOptions = {}): Transport {
  const { timekeeper = systemTime } = options;
  const { origin, pathname } = new URL(config.server);
  const tls = tlsOf(config);
  const http = (options.createHttpClient ?? createHttpClient)({
    origin,
    tls,
    // Applied to the whole request: see requestTimeout and limitAnswers.
    limits: noLimits,
    ...(config.proxyUrl && { proxyUrl: config.proxyUrl }),
    ...(options.allowH2 !== undefined && { allowH2: options.allowH2 }),
  });
  const source = options.credentials ?? createCredentialSource(config, timekeeper);
  const handler = compose(
    http.handler,
    ...(options.interceptors ?? []),
    ...requestInterceptors(options, timekeeper),
    limitAnswers(origin, options.limits),
    ...attemptInterceptors(config, options, timekeeper),
    ...identityInterceptors(config, { source, timekeeper, replaceTls: tlsReplacer(http, tls) }),
    ...(wantsCompression(config, options) ? [acceptGzip()] : []),
    ...(pathname === "/" ? [] : [addBasePath(pathname)]),
  );
  return transportOf(http, handler, source);
}

/** Interceptors around all attempts of a request. */
function requestInterceptors(options: TransportOptions, timekeeper: Timekeeper): Interceptor[] {
  const { retries = defaultRetries, random = Math.random, onWarning } = options;
  return [
    // Always present, because single requests may have a timeout.
    requestTimeout({ milliseconds: options.timeoutMs ?? defaultTimeout, timekeeper }),
    ...(retries > 0 ? [retryRequests({ retries, random, timekeeper })] : []),
    ...(onWarning ? [reportWarnings(onWarning)] : []),
  ];
}

function attemptInterceptors(
  config: ClientConfig,
  options: TransportOptions,
  timekeeper: Timekeeper,
): Interceptor[] {
  const { userAgent = defaultUserAgent, rateLimit, concurrentReads, trace } = options;
  return [
    ...(rateLimit ? [limitRate(rateLimit, timekeeper)] : []),
    ...(concurrentReads ? [limitReads(concurrentReads)] : []),
    ...(trace ? [traceRequests(trace, timekeeper)] : []),
    ...(userAgent ? [setUserAgent(userAgent)] : []),
    ...(config.user.impersonate ? [impersonate(config.user.impersonate)] : []),
  ];
}

interface Identity {
  readonly source: CredentialSource | undefined;
  readonly timekeeper: Timekeeper;
  readonly replaceTls: (change: Partial<ClientTls>) => void;
}

function identityInterceptors(config: ClientConfig, identity: Identity): Interceptor[] {
  const { source, timekeeper, replaceTls } = identity;
  const files = tlsFilesOf(config);
  return [
    ...(files.length > 0 ? [reloadTlsFiles({ files, timekeeper, onChange: replaceTls })] : []),
    ...(source ? [authenticate({ source, onCertificate: replaceTls })] : []),
  ];
}

/** Changes some TLS settings of new connections. */
function tlsReplacer(http: HttpClient, initial: ClientTls): (change: Partial<ClientTls>) => void {
  let tls = initial;
  return (change) => {
    tls = { ...tls, ...change };
    http.replaceTls(tls);
  };
}

/** On loopback, compressed pages of 1.1 MB take half as long again. */
function wantsCompression(config: ClientConfig, { compression }: TransportOptions): boolean {
  if (compression !== undefined) return compression;
  const host = new URL(config.server).hostname.replace(/^\[|\]$/g, "");
  return !config.disableCompression && !isLoopback(host);
}

function transportOf(
  http: HttpClient,
  handler: Handler,
  source: CredentialSource | undefined,
): Transport {
  const destroy = async () => {
    source?.close();
    await http.destroy();
  };
  return {
    handler,
    async close() {
      await http.close();
      source?.close();
    },
    destroy,
    [Symbol.asyncDispose]: destroy,
  };
}
