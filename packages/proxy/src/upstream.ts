import {
  type ClientConfig,
  createTransport,
  noTransportLimits,
  type Transport,
} from "@rookery/client";
import { Context, discardBody, type Handler } from "@rookery/http";
import type { HealthCheck } from "@rookery/runtime";
import { UpstreamNotReadyError } from "./errors.ts";

/** Whom the API server sees: the app, or the proxy itself. */
export type Identity = "app" | "proxy";

/** How long the API server may take to say that it is ready. */
const readyzMs = 5_000;

/**
 * The way to the API server. It sends each request once, waits as long as the app does and adds
 * nothing but, where it is to be seen, the proxy's identity: the app has its own retries and time limits.
 */
export function createUpstream(config: ClientConfig, identity: Identity): Transport {
  return createTransport(identity === "proxy" ? config : { ...config, user: {} }, {
    userAgent: "",
    timeoutMs: 0,
    limits: noTransportLimits,
    retries: 0,
  });
}

/** Fails while the API server does not answer; one that wants to know who asks does. */
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
