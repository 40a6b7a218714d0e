import {
  contextKey,
  exchangeLimitsKey,
  type HttpRequest,
  type Interceptor,
  limitExchanges,
  noLimits,
  streamLimits,
} from "@rookery/http";
import { isLongRunning } from "./long-running.ts";

/** Limits of responses, in addition to `timeoutMs`. */
export interface TransportLimits {
  /** Bytes of an unpacked response; 8 MiB by default. */
  readonly answerBytes: number;
  /** Bytes of a list; 512 MiB by default. */
  readonly listBytes: number;
  /** Milliseconds without data in a watch; 65 min by default, 4 h for other streams. */
  readonly watchIdleMs: number;
}

const mebibyte = 1024 * 1024;
const minute = 60_000;

/** kube-apiserver ends watches after 30 to 60 minutes. */
const defaultLimits: TransportLimits = {
  answerBytes: 8 * mebibyte,
  listBytes: 512 * mebibyte,
  watchIdleMs: 65 * minute,
};

/** As a kubelet's limit for followed logs. */
const streamIdleMs = 240 * minute;

/** For untrusted API servers. */
export const foreignLimits: TransportLimits = {
  answerBytes: 8 * mebibyte,
  listBytes: 64 * mebibyte,
  watchIdleMs: 15 * minute,
};

/** For a proxy, whose client has its own limits. */
export const noTransportLimits: TransportLimits = {
  answerBytes: Number.POSITIVE_INFINITY,
  listBytes: Number.POSITIVE_INFINITY,
  watchIdleMs: Number.POSITIVE_INFINITY,
};

/** Marks requests of lists. */
export const isListKey = contextKey<boolean>("is a list");

/** Aborts responses that are too long, and silent streams. */
export function limitAnswers(origin: string, limits: Partial<TransportLimits> = {}): Interceptor {
  const all = { ...defaultLimits, ...limits };
  return (next) => {
    const limited = limitExchanges(noLimits, origin)(next);
    return (request) => {
      const { context } = request;
      if (context.get(exchangeLimitsKey)) return limited(request);
      return limited({
        ...request,
        context: context.with(exchangeLimitsKey, limitsOf(request, all)),
      });
    };
  };
}

function limitsOf(request: HttpRequest, limits: TransportLimits) {
  if (request.headers.upgrade !== undefined) return noLimits;
  if (isLongRunning(request)) {
    const isWatch = /(?:^|&)watch=/i.test(request.query);
    return streamLimits(isWatch ? limits.watchIdleMs : Math.max(limits.watchIdleMs, streamIdleMs));
  }
  return { answerBytes: request.context.get(isListKey) ? limits.listBytes : limits.answerBytes };
}
