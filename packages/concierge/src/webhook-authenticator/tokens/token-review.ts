import type { UserInfo } from "../../authenticators/authenticator.ts";
import { TokenRefusedError } from "../../errors.ts";

const versions = ["v1", "v1beta1"] as const;

/** The versions of TokenReview that webhooks speak, the one to try first in front. */
export type TokenReviewVersion = (typeof versions)[number];

export const tokenReviewVersions: readonly TokenReviewVersion[] = versions;

/** A question to a webhook. */
export function tokenReview(token: string, version: TokenReviewVersion) {
  return {
    apiVersion: `authentication.k8s.io/${version}`,
    kind: "TokenReview",
    metadata: { creationTimestamp: null },
    spec: { token },
    status: { user: {} },
  };
}

interface TokenReviewStatus {
  readonly authenticated?: unknown;
  readonly user?: {
    readonly username?: unknown;
    readonly uid?: unknown;
    readonly groups?: unknown;
    readonly extra?: unknown;
  } | null;
}

/** Kubernetes adds it to every user; it says which token it was, not who the user is. */
const credentialId = "authentication.kubernetes.io/credential-id";

/**
 * Reads the user from a webhook's answer. A certificate holds a name and groups alone: of a user who
 * is more than that it would make somebody else. Errors: TokenRefusedError.
 */
export function userFromReview(answer: unknown): UserInfo {
  const { kind, apiVersion, status } = (answer ?? {}) as Record<string, unknown>;
  if (kind !== "TokenReview" || !isKnownVersion(apiVersion)) {
    throw new TokenRefusedError("the webhook answered with something else than a TokenReview");
  }
  const { authenticated, user } = (status ?? {}) as TokenReviewStatus;
  if (authenticated !== true) throw new TokenRefusedError("the webhook does not know it");
  const { username, uid, groups, extra } = user ?? {};
  if (typeof username !== "string" || username === "") {
    throw new TokenRefusedError("the webhook names no user");
  }
  if (uid !== undefined && uid !== "") {
    throw new TokenRefusedError("the webhook gives the user a UID, which certificates can't hold");
  }
  if (Object.keys(extra ?? {}).some((key) => key !== credentialId)) {
    throw new TokenRefusedError("the webhook gives the user extras, which certificates can't hold");
  }
  return { username, groups: groupsOf(groups) };
}

function isKnownVersion(apiVersion: unknown): boolean {
  return versions.some((version) => apiVersion === `authentication.k8s.io/${version}`);
}

function groupsOf(groups: unknown): string[] {
  const list: unknown[] = Array.isArray(groups) ? groups : [groups].filter((one) => one != null);
  if (list.every((group) => typeof group === "string")) {
    return [...new Set(list)].filter((group) => group !== "");
  }
  throw new TokenRefusedError("the webhook's groups are not a list of strings");
}
