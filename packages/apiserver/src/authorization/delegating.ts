import type { Clock } from "@rookery/kube";
import { systemUsers } from "../request/user.ts";
import { type Authorizer, unionAuthorizer } from "./authorizer.ts";
import {
  createSubjectAccessReviewAuthorizer,
  type ReviewSubjectAccess,
} from "./subject-access-review.ts";

/** Allows non-resource paths to everyone; a "*" at the end is a wildcard. */
function alwaysAllowPaths(paths: readonly string[]): Authorizer {
  const exact = new Set(paths.filter((path) => !path.endsWith("*")));
  const prefixes = paths.filter((path) => path.endsWith("*")).map((path) => path.slice(0, -1));
  return ({ isResourceRequest, path }) => {
    const allowed = exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
    return { decision: allowed && !isResourceRequest ? "Allow" : "NoOpinion" };
  };
}

/** Allows everything to members of these groups. */
export function privilegedGroups(
  groups: readonly string[] = [systemUsers.privilegedGroup],
): Authorizer {
  return ({ user }) => {
    const isMember = user.groups.some((group) => groups.includes(group));
    return { decision: isMember ? "Allow" : "NoOpinion" };
  };
}

export interface DelegatingAuthorizerOptions {
  readonly reviewSubjectAccess: ReviewSubjectAccess;
  /** Allowed to everyone; the health endpoints by default. */
  readonly alwaysAllowPaths?: readonly string[];
  readonly now?: Clock;
}

const healthPaths = ["/healthz", "/livez", "/readyz"];

/**
 * Authorizes like an extension API server: system:masters may do everything, everyone may read
 * health, the cluster's API server decides the rest.
 */
export function createDelegatingAuthorizer(options: DelegatingAuthorizerOptions): Authorizer {
  const { reviewSubjectAccess, now = () => new Date() } = options;
  return unionAuthorizer(
    privilegedGroups(),
    alwaysAllowPaths(options.alwaysAllowPaths ?? healthPaths),
    createSubjectAccessReviewAuthorizer({ review: reviewSubjectAccess, now }),
  );
}
