import { type HttpRequest, type HttpResponse, type Interceptor, peerKey } from "@rookery/http";
import type { Logger, MonotonicClock } from "@rookery/runtime";
import type { ListenerMetrics } from "./proxy-metrics.ts";
import { requestVerb } from "./request-verb.ts";

export interface ObserveOptions {
  readonly metrics: ListenerMetrics;
  /** Logs each request from --v=4 on. */
  readonly logger: Logger;
  readonly clock: MonotonicClock;
}

/**
 * Counts requests and writes the access log, without headers, queries (which contain the commands
 * of exec) and the paths behind pods and Services.
 */
export function observe({ metrics, logger, clock }: ObserveOptions): Interceptor {
  return (next) => async (request) => {
    const started = clock.now();
    metrics.inFlight(1);
    const response = await Promise.resolve(next(request)).catch((error) => {
      metrics.inFlight(-1);
      throw error;
    });
    const seconds = (clock.now() - started) / 1000;
    const verb = requestVerb(request);
    metrics.answered(verb, response.status, seconds);
    logger.debug("Request", { verb, ...describe(request), status: response.status, seconds });
    return whenComplete(response, request, () => metrics.inFlight(-1));
  };
}

function describe({ method, path, headers, context }: HttpRequest) {
  const peer = context.get(peerKey);
  return {
    method,
    path: path.replace(/(\/proxy)\/.*$/s, "$1/…"),
    userAgent: headers["user-agent"],
    from: peer?.address,
    protocol: peer?.protocol,
  };
}

/** Calls back once after the last byte, or when the client is gone. */
function whenComplete(
  response: HttpResponse,
  { signal }: HttpRequest,
  onComplete: () => void,
): HttpResponse {
  const { body, upgrade } = response;
  if (upgrade) {
    return {
      ...response,
      upgrade(peer) {
        peer.once("close", onComplete);
        upgrade(peer);
      },
    };
  }
  if (typeof body !== "function") {
    onComplete();
    return response;
  }
  // An unread body, as after HEAD, is complete as well.
  let open = true;
  const complete = () => {
    if (open) onComplete();
    open = false;
  };
  signal.addEventListener("abort", complete, { once: true });
  return {
    ...response,
    body(sink) {
      const written = body(sink);
      if (written) return written.finally(complete);
      complete();
    },
  };
}
