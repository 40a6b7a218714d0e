import { compose, type Handler, type HttpRequest, type Interceptor } from "@rookery/http";
import {
  type Clock,
  MalformedPathError,
  parseRequestInfo,
  quote,
  type RequestInfo,
  StatusError,
} from "@rookery/kube";
import type { Authenticator } from "../authentication/authenticator.ts";
import type { RequestHeaderConfig } from "../authentication/request-header.ts";
import type { Authorizer } from "../authorization/authorizer.ts";
import { writeText } from "../negotiation/encode.ts";
import { requestInfoKey, warningsKey } from "../request/request-context.ts";
import { Warnings } from "../request/warnings.ts";
import type { Timers } from "../timers.ts";
import { type Audit, withAudit, withAuditId, withHeaders } from "./audit.ts";
import { withAuthentication } from "./authentication.ts";
import { withAuthorization } from "./authorization.ts";
import { withImpersonation } from "./impersonation.ts";
import { type MaxInFlightOptions, withMaxInFlight } from "./max-in-flight.ts";
import { type OnError, withRecovery } from "./recovery.ts";
import { withTimeout } from "./timeout.ts";

export interface PipelineOptions {
  readonly authenticate: Authenticator;
  readonly requestHeader: () => RequestHeaderConfig | undefined;
  readonly authorize: Authorizer;
  readonly audit?: Audit | undefined;
  readonly onError: OnError;
  readonly requestTimeoutMs: number;
  readonly maxInFlight: MaxInFlightOptions;
  readonly now: Clock;
  readonly timers: Timers;
}

/**
 * The pipeline before every handler, in kube-apiserver's order. Rejections are thrown, and recovery
 * writes the response: audit and warnings are outside of it.
 */
export function createPipeline(handler: Handler, options: PipelineOptions): Handler {
  const { authenticate, requestHeader, authorize, onError, timers } = options;
  return compose(
    handler,
    withAuditId,
    withCacheControl,
    withRequestInfo,
    ...(options.audit ? [withAudit(options.audit, options.now)] : []),
    withWarnings,
    withRecovery(onError),
    withTimeout({ timeoutMs: options.requestTimeoutMs, timers }),
    withAuthentication({ authenticate, requestHeader, onError }),
    withImpersonation(authorize),
    withMaxInFlight(options.maxInFlight),
    withAuthorization(authorize),
  );
}

const withWarnings: Interceptor = (next) => async (request) => {
  const warnings = new Warnings();
  const response = await next({ ...request, context: request.context.with(warningsKey, warnings) });
  const warning = warnings.headers();
  return warning.length === 0 ? response : withHeaders(response, { warning });
};

/** Parses the request path. Malformed ones get kube-apiserver's errors. */
const withRequestInfo: Interceptor = (next) => (request) => {
  const info = tryParse(request);
  if (info instanceof StatusError) return writeText(500, failureText(request, info));
  // Go's server rejects malformed paths itself.
  if (info === undefined) return writeText(400, "400 Bad Request");
  return next({ ...request, context: request.context.with(requestInfoKey, info) });
};

function failureText({ path, query }: HttpRequest, { message }: StatusError): string {
  const target = query === "" ? path : `${path}?${query}`;
  const escaped = target.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return `Internal Server Error: ${quote(escaped)}: failed to create RequestInfo: ${message}\n`;
}

function tryParse(request: HttpRequest): RequestInfo | StatusError | undefined {
  try {
    return parseRequestInfo(request);
  } catch (error) {
    if (error instanceof StatusError) return error;
    if (error instanceof MalformedPathError) return undefined;
    throw error;
  }
}

/** Responses are private by default. */
const withCacheControl: Interceptor = (next) => async (request) =>
  withHeaders(await next(request), { "cache-control": "no-cache, private" });
