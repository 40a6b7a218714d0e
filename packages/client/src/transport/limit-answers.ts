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

/** What answers may cost beside time, which `timeoutMs` limits. */
export interface TransportLimits {
  /** Bytes of an answer, unpacked. 8 MiB where absent. */
  readonly answerBytes: number;
  /** Bytes of a list, which grows with the cluster. 512 MiB where absent. */
  readonly listBytes: number;
  /** Milliseconds of silence after which a watch ends; 65 min where absent, 4 h for other streams. */
  readonly watchIdleMs: number;
}

const mebibyte = 1024 * 1024;
const minute = 60_000;

/** kube-apiserver ends each watch after 30 to 60 minutes. */
const defaultLimits: TransportLimits = {
  answerBytes: 8 * mebibyte,
  listBytes: 512 * mebibyte,
  watchIdleMs: 65 * minute,
};

/** As a kubelet's: a log that is followed may be silent for long. */
const streamIdleMs = 240 * minute;

/** For the API server of somebody else, who may wish this process ill. */
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

/** Set on the request of a list. */
export const isListKey = contextKey<boolean>("is a list");

/** Ends answers that are too long, and streams that are silent for too long. */
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
