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
  /** What stands before "/" is the field manager of writes that name none. "" says nothing. */
  readonly userAgent?: string;
  /** For a request with its retries; 0 waits without end. 65 s where absent. Never for a watch. */
  readonly timeoutMs?: number;
  /** How long answers may be, and how long a watch may be silent. */
  readonly limits?: Partial<TransportLimits>;
  /** How often a request is sent again at most; 10 where absent, as in client-go. */
  readonly retries?: number;
  /** Without a limit where absent: the server has priority and fairness. */
  readonly rateLimit?: RateLimit;
  /** The most reads at a time, watches aside; without a limit where absent. */
  readonly concurrentReads?: number;
  readonly trace?: Trace;
  /** Hears each warning of the server once. */
  readonly onWarning?: (text: string) => void;
  /** Whether answers may be packed; where absent, yes, unless they come from this machine. */
  readonly compression?: boolean;
  /** False speaks HTTP/1.1 only. */
  readonly allowH2?: boolean;
  /** Put around everything else, the first outermost. */
  readonly interceptors?: readonly Interceptor[];
  /** Who the client is, instead of what the configuration says beside a client certificate. */
  readonly credentials?: CredentialSource;
  readonly timekeeper?: Timekeeper;
  /** From 0 up to 1. */
  readonly random?: () => number;
  /** For tests: what sends requests in the end. */
  readonly createHttpClient?: (options: HttpClientOptions) => HttpClient;
}

/** Sends requests to one API server as one user. */
export interface Transport extends AsyncDisposable {
  readonly handler: Handler;
  /** Takes no more requests and waits for those on their way. */
  close(): Promise<void>;
  /** Aborts what is on its way. */
  destroy(): Promise<void>;
}

/** kube-apiserver gives up after 60 s, and its own answer says more. */
const defaultTimeout = 65_000;
const defaultRetries = 10;
const defaultUserAgent = `rookery/unknown (${process.platform}/${process.arch})`;

/**
 * Puts the transport of a configuration together. From the outside in: further interceptors,
 * timeout, retry, size of answers, then for each attempt warnings, rate limit, reads at a time, trace, user agent, impersonation,
 * renewed certificates, authentication, compression, base path. What is off is not there.
 */
export function createTransport(config: ClientConfig, options: TransportOptions = {}): Transport {
  const { timekeeper = systemTime } = options;
  const { origin, pathname } = new URL(config.server);
  const tls = tlsOf(config);
  const http = (options.createHttpClient ?? createHttpClient)({
    origin,
    tls,
    // They are around the whole request: see requestTimeout and limitAnswers.
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

/** What happens once for a request, however often it is sent. */
function requestInterceptors(options: TransportOptions, timekeeper: Timekeeper): Interceptor[] {
  const { retries = defaultRetries, random = Math.random, onWarning } = options;
  return [
    // There even without a limit for all requests: one of them may have its own.
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

/** Changes some of the TLS settings for new connections and keeps the others. */
function tlsReplacer(http: HttpClient, initial: ClientTls): (change: Partial<ClientTls>) => void {
  let tls = initial;
  return (change) => {
    tls = { ...tls, ...change };
    http.replaceTls(tls);
  };
}

/** Measured on loopback: pages of 1.1 MB take half as long again when they are packed. */
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
