import { compose, type Handler, type Interceptor } from "@rookery/http";
import { endStreams } from "./end-streams.ts";
import { answerFailures, reportServerErrors } from "./failures.ts";
import { limitRequestBody } from "./limit-body.ts";
import { createListener, type Listener, type ListenerOptions } from "./listener.ts";
import { type ObserveOptions, observe } from "./observe/observe.ts";
import { type ListenerName, reasonOf } from "./observe/proxy-metrics.ts";
import { countRenamedBytes } from "./observe/renamed-bytes.ts";
import type { ProxyParts } from "./proxy-parts.ts";

interface ProxyHandlerOptions extends ObserveOptions {
  /** The name of the upstream in messages: "the API server". */
  readonly upstreamName: string;
  readonly upstream: Handler;
  /** Whether clients are asked to retry; true by default. */
  readonly mayRetry?: boolean;
  /** Authentication and identity. */
  readonly identify: Interceptor;
  readonly rename: Interceptor | undefined;
  readonly narrow?: Interceptor | undefined;
  readonly maxRequestBody: number;
  /** Aborted when the proxy stops. */
  readonly draining: AbortSignal;
}

/**
 * The interceptors of a listener, from the outside in: metrics, failures, identity, body limit,
 * draining, renaming, and the scope, which only knows real groups.
 */
function createProxyHandler(options: ProxyHandlerOptions): Handler {
  const { upstream, upstreamName, metrics, logger, rename, narrow } = options;
  return compose(
    upstream,
    observe(options),
    answerFailures({
      upstream: upstreamName,
      ...(options.mayRetry !== undefined && { mayRetry: options.mayRetry }),
      onFailure(error, { method, path }) {
        metrics.upstreamError(reasonOf(error));
        logger.error(error, "Could not forward a request", { method, path });
      },
    }),
    options.identify,
    limitRequestBody(options.maxRequestBody),
    endStreams(options.draining),
    ...(rename ? countRenamedBytes(rename, metrics) : []),
    ...(narrow ? [narrow] : []),
  );
}

interface ProxyListenerOptions
  extends Pick<ListenerOptions, "address" | "certificates" | "clientCa"> {
  readonly handler: Omit<ProxyHandlerOptions, "metrics" | "logger" | "clock" | "draining">;
}

export function createProxyListener(
  { flags, clock, logger, listenerMetrics }: ProxyParts,
  side: ListenerName,
  { handler, ...options }: ProxyListenerOptions,
): Listener {
  const metrics = listenerMetrics(side);
  return createListener({
    ...options,
    name: side === "app" ? "app listener" : "callback listener",
    group: "webhooks",
    createHandler: (draining) =>
      createProxyHandler({ ...handler, metrics, logger, clock, draining }),
    limits: { maxHeaderSize: flags.maxHeaderSize },
    graceMs: flags.shutdownGrace,
    onError: reportServerErrors(metrics, logger),
    logger,
  });
}
