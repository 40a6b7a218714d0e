import {
  longestToken,
  type TokenAuthenticator,
  type UserInfo,
} from "../../authenticators/authenticator.ts";
import { OutboundError, TokenRefusedError } from "../../errors.ts";
import type { WebhookConnection } from "../../outbound/json-exchange.ts";

/** The versions of TokenReview, in the order in which they are tried. */
const versions = ["v1", "v1beta1"] as const;

type Version = (typeof versions)[number];

/** Answers of servers that do not support a version. */
const notUnderstood: readonly number[] = [400, 404, 406, 415, 422];

/** Authenticates tokens by a webhook, with TokenReviews of v1, or v1beta1 if it supports no other. */
export function createWebhookClient(url: URL, connection: WebhookConnection): TokenAuthenticator {
  let preferred: readonly Version[] = versions;
  const ask = async (token: string, signal: AbortSignal): Promise<unknown> => {
    let status = 0;
    for (const version of preferred) {
      const answer = await connection.post(tokenReview(token, version), signal);
      status = answer.status;
      if (status >= 200 && status <= 299) {
        preferred = [version, ...versions.filter((other) => other !== version)];
        return answer.body;
      }
      if (!notUnderstood.includes(status)) break;
    }
    throw new OutboundError({ method: "POST", url: url.href }, `the webhook answered ${status}`);
  };
  return {
    async authenticate(token, signal) {
      if (token.length > longestToken) throw new TokenRefusedError("it is too long");
      return userFromReview(await ask(token, signal));
    },
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}

function tokenReview(token: string, version: Version) {
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

/** Added by Kubernetes to every user: the token's ID, not part of the user. */
const credentialId = "authentication.kubernetes.io/credential-id";

/** Rejects users with attributes that a certificate cannot hold. Errors: TokenRefusedError. */
function userFromReview(answer: unknown): UserInfo {
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
