import type { Clock } from "@rookery/kube";
import { systemUsers } from "../request/user.ts";
import { type Authorizer, unionAuthorizer } from "./authorizer.ts";
import {
  createSubjectAccessReviewAuthorizer,
  type ReviewSubjectAccess,
} from "./subject-access-review.ts";

/** Allows everything to members of system:masters. */
export const allowPrivilegedGroup: Authorizer = ({ user }) => {
  const isMember = user.groups.includes(systemUsers.privilegedGroup);
  return { decision: isMember ? "Allow" : "NoOpinion" };
};

const healthPaths: readonly string[] = ["/healthz", "/livez", "/readyz"];

const allowHealth: Authorizer = ({ isResourceRequest, path }) => {
  const isHealth = !isResourceRequest && healthPaths.includes(path);
  return { decision: isHealth ? "Allow" : "NoOpinion" };
};

export interface DelegatingAuthorizerOptions {
  readonly reviewSubjectAccess: ReviewSubjectAccess;
  readonly now?: Clock;
}

/**
 * Authorizes like an extension API server: system:masters may do everything, everyone may read
 * health, the cluster's API server decides the rest.
 */
export function createDelegatingAuthorizer(options: DelegatingAuthorizerOptions): Authorizer {
  const { reviewSubjectAccess, now = () => new Date() } = options;
  return unionAuthorizer(
    allowPrivilegedGroup,
    allowHealth,
    createSubjectAccessReviewAuthorizer({ review: reviewSubjectAccess, now }),
  );
}
