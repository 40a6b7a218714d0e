import {
  type ClientConfig,
  createTransport,
  noTransportLimits,
  type Transport,
} from "@rookery/client";
import { Context, discardBody, type Handler } from "@rookery/http";
import type { HealthCheck } from "@rookery/runtime";
import { UpstreamNotReadyError } from "./errors.ts";

/** The identity that the API server sees. */
export type Identity = "app" | "proxy";

/** The timeout of a readiness request. */
const readyzMs = 5_000;

/**
 * The connection to the API server. Sends each request once and without a timeout, and adds only
 * the proxy's identity if configured: the app has its own retries and timeouts.
 */
export function createUpstream(config: ClientConfig, identity: Identity): Transport {
  return createTransport(identity === "proxy" ? config : { ...config, user: {} }, {
    userAgent: "",
    timeoutMs: 0,
    limits: noTransportLimits,
    retries: 0,
  });
}

/** Fails unless the API server answers. 401 and 403 count as ready. */
export function upstreamCheck(handler: Handler): HealthCheck {
  return async ({ signal }) => {
    const { status, body } = await handler({
      method: "GET",
      path: "/readyz",
      query: "",
      headers: { "user-agent": "rookery-proxy" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(readyzMs)]),
      context: Context.empty,
    });
    await discardBody(body);
    if (status !== 200 && status !== 401 && status !== 403) throw new UpstreamNotReadyError(status);
  };
}
