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
  /** What requests go to, for messages: "the API server". */
  readonly upstreamName: string;
  readonly upstream: Handler;
  /** Whether clients are told to ask again where there is no answer; where absent, they are. */
  readonly mayRetry?: boolean;
  /** Who may ask, and as whom. */
  readonly identify: Interceptor;
  /** Undefined where nothing is renamed. */
  readonly rename: Interceptor | undefined;
  /** Undefined where all namespaces are seen. */
  readonly narrow?: Interceptor | undefined;
  readonly maxRequestBody: number;
  /** Aborted when the proxy stops. */
  readonly draining: AbortSignal;
}

/**
 * What a listener does with a request, from the outside in: it is counted, its failures become a
 * Status, its sender is known, its body is limited, its stream can be ended, it is renamed, narrowed to a scope (which knows
 * real groups alone), and sent on.
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
        logger.error(error, "Could not pass a request on", { method, path });
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

/** The listener of one side of a proxy. */
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
