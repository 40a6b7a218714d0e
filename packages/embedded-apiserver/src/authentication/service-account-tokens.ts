import { createHash } from "node:crypto";
import {
  type ReviewToken,
  systemUsers,
  type TokenReviewStatus,
  type UserInfo,
} from "@rookery/apiserver";
import type { Clock } from "@rookery/kube";
import { TokenError } from "../errors.ts";
import { quoteAll } from "../rbac/covers.ts";
import type { Store } from "../store/store.ts";
import type { TokenKeys } from "./token-keys.ts";
import {
  type BoundClaims,
  type LegacyClaims,
  legacyIssuer,
  subjectOfBoundClaims,
  subjectOfLegacyClaims,
} from "./token-subject.ts";

export interface ServiceAccountTokenOptions {
  readonly store: Store;
  readonly keys: TokenKeys;
  readonly issuer: string;
  /** The audiences of tokens that request none; by default the issuer. */
  readonly audiences?: readonly string[];
  readonly now: Clock;
}

/** Issues and reviews tokens of service accounts. */
export interface ServiceAccountTokens {
  readonly issuer: string;
  readonly audiences: readonly string[];
  issue(claims: Omit<BoundClaims, "iss">): Promise<string>;
  issueLegacy(claims: Omit<LegacyClaims, "iss">): Promise<string>;
  /** Answers a TokenReview. Never throws. */
  readonly review: ReviewToken;
}

export function createServiceAccountTokens(
  options: ServiceAccountTokenOptions,
): ServiceAccountTokens {
  const { keys, issuer, audiences = [issuer] } = options;
  const verify = cacheVerified(keys);
  return {
    issuer,
    audiences,
    issue: (claims) => keys.sign({ ...claims, iss: issuer }),
    issueLegacy: (claims) => keys.sign({ ...claims, iss: legacyIssuer }),
    review: async ({ token, audiences: wanted = [] }) => {
      const requested = wanted.length > 0 ? wanted : audiences;
      try {
        return await authenticate(token, { ...options, audiences, verify, requested });
      } catch (error) {
        if (!(error instanceof TokenError)) throw error;
        return { error: reviewError(error.message) };
      }
    },
  };
}

const unknownToken = "invalid bearer token";

/** kube-apiserver reports its own authenticator's error as well. */
function reviewError(message: string): string {
  return message === unknownToken ? message : `[${unknownToken}, ${message}]`;
}

interface Review extends Required<ServiceAccountTokenOptions> {
  readonly verify: TokenKeys["verify"];
  readonly requested: readonly string[];
}

async function authenticate(token: string, review: Review): Promise<TokenReviewStatus> {
  const issuer = unverifiedIssuer(token);
  if (issuer !== review.issuer && issuer !== legacyIssuer) {
    throw new TokenError(unknownToken);
  }
  const claims = (await review.verify(token)) as BoundClaims | LegacyClaims;
  const own = "aud" in claims ? [claims.aud].flat() : [];
  // Tokens from Secrets are for the API server only.
  const audiences = own.length > 0 ? own : review.audiences;
  const common = audiences.filter((audience) => review.requested.includes(audience));
  if (common.length === 0) {
    const lists = `${quoteAll(audiences)} is invalid for the target audiences ${quoteAll(review.requested)}`;
    throw new TokenError(`token audiences ${lists}`);
  }
  const user = subjectOf(claims, token, review);
  return { authenticated: true, user: userStatusOf(user), audiences: common };
}

function subjectOf(claims: BoundClaims | LegacyClaims, token: string, review: Review): UserInfo {
  const { store, now } = review;
  if (claims.iss === legacyIssuer)
    return subjectOfLegacyClaims(claims as LegacyClaims, token, store);
  return subjectOfBoundClaims(claims as BoundClaims, store, now());
}

function userStatusOf({ name, uid = "", groups, extra }: UserInfo) {
  const all = [...groups, systemUsers.authenticatedGroup];
  return { username: name, uid, groups: all, ...(extra && { extra }) };
}

/** The issuer that a token claims; tokens of other issuers are rejected early. */
function unverifiedIssuer(token: string): unknown {
  const parts = token.split(".");
  if (parts.length !== 3) return undefined;
  try {
    return (JSON.parse(Buffer.from(parts[1] ?? "", "base64url").toString()) as BoundClaims).iss;
  } catch {
    return undefined;
  }
}

const maxCachedTokens = 4096;

/** Caches verified signatures; the objects that a token is bound to are checked every time. */
function cacheVerified(keys: TokenKeys): TokenKeys["verify"] {
  const known = new Map<string, unknown>();
  return async (token) => {
    const key = createHash("sha256").update(token).digest("base64");
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const claims = await keys.verify(token);
    if (known.size >= maxCachedTokens) known.delete(known.keys().next().value ?? "");
    known.set(key, claims);
    return claims;
  };
}
