import { compose, type Handler } from "@rookery/http";
import type { Clock } from "@rookery/kube";
import type { Authenticator } from "../authentication/authenticator.ts";
import type { RequestHeaderConfig } from "../authentication/request-header.ts";
import type { Authorizer } from "../authorization/authorizer.ts";
import type { Timers } from "../timers.ts";
import { type Audit, withAudit } from "./audit.ts";
import { withAuditId } from "./audit-id.ts";
import { withAuthentication } from "./authentication.ts";
import { withAuthorization } from "./authorization.ts";
import { withImpersonation } from "./impersonation.ts";
import { type MaxInFlightOptions, withMaxInFlight } from "./max-in-flight.ts";
import { type OnError, withRecovery } from "./recovery.ts";
import { withCacheControl, withRequestInfo } from "./request-info.ts";
import { withTimeout } from "./timeout.ts";
import { withWarnings } from "./warnings.ts";

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
 * What every request passes before it reaches a handler, in kube-apiserver's order. Whoever refuses
 * throws, and recovery writes the answer: what audits and warns is therefore outside of it.
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
