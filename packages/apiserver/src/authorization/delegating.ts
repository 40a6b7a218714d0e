import type { Clock } from "@rookery/kube";
import { alwaysAllowPaths, privilegedGroups } from "./always-allow.ts";
import { type Authorizer, unionAuthorizer } from "./authorizer.ts";
import {
  createSubjectAccessReviewAuthorizer,
  type ReviewSubjectAccess,
} from "./subject-access-review.ts";

export interface DelegatingAuthorizerOptions {
  readonly reviewSubjectAccess: ReviewSubjectAccess;
  /** Allowed to everyone: the health endpoints, unless told otherwise. */
  readonly alwaysAllowPaths?: readonly string[];
  readonly now?: Clock;
}

const healthPaths = ["/healthz", "/livez", "/readyz"];

/**
 * Authorizes as an extension API server does: system:masters may do everything, everyone may ask for
 * health, and for the rest the cluster's own API server is asked.
 */
export function createDelegatingAuthorizer(options: DelegatingAuthorizerOptions): Authorizer {
  const { reviewSubjectAccess, now = () => new Date() } = options;
  return unionAuthorizer(
    privilegedGroups(),
    alwaysAllowPaths(options.alwaysAllowPaths ?? healthPaths),
    createSubjectAccessReviewAuthorizer({ review: reviewSubjectAccess, now }),
  );
}
