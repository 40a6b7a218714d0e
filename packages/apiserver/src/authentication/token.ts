import { createHmac, randomBytes } from "node:crypto";
import { headerValue } from "@rookery/http";
import type { Clock } from "@rookery/kube";
import { AuthenticationError } from "../errors.ts";
import { ExpiringCache } from "../expiring-cache.ts";
import type { UserInfo } from "../request/user.ts";
import type { Authenticator } from "./authenticator.ts";

/** The `status` of a TokenReview. */
export interface TokenReviewStatus {
  readonly authenticated?: boolean;
  readonly user?: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly audiences?: readonly string[];
  readonly error?: string;
}

/** Creates a TokenReview and returns its status. */
export type ReviewToken = (
  spec: { readonly token: string; readonly audiences?: readonly string[] },
  signal: AbortSignal,
) => Promise<TokenReviewStatus>;

export interface TokenOptions {
  readonly review: ReviewToken;
  readonly now: Clock;
  /** How long a verdict counts; 10 s by default, as in the generic API server. */
  readonly ttlMs?: number | undefined;
  /** Required audiences; unchecked if empty. */
  readonly audiences?: readonly string[];
}

const cacheSize = 4096;

/** The user of a bearer token, from a TokenReview. Tokens are never stored or logged. */
export function createTokenAuthenticator(options: TokenOptions): Authenticator {
  const { now, ttlMs = 10_000 } = options;
  const cache = new ExpiringCache<{ readonly user: UserInfo | undefined }>({
    size: cacheSize,
    now,
  });
  const inFlight = new Map<string, Promise<UserInfo | undefined>>();
  const secret = randomBytes(32);

  const ask = async (token: string, key: string) => {
    // Shared by concurrent requests: not aborted with one of them.
    const user = await reviewToken(token, options, new AbortController().signal);
    cache.set(key, { user }, ttlMs);
    return user;
  };
  const begin = (token: string, key: string) => {
    const requested = ask(token, key).finally(() => inFlight.delete(key));
    inFlight.set(key, requested);
    return requested;
  };
  return async ({ headers }) => {
    const token = bearerToken(headerValue(headers, "authorization") ?? "");
    if (token === undefined) return undefined;
    const key = createHmac("sha256", secret).update(token).digest("base64");
    const known = cache.get(key);
    const user = known ? known.user : await (inFlight.get(key) ?? begin(token, key));
    if (user === undefined) throw new AuthenticationError("invalid bearer token");
    return user;
  };
}

function bearerToken(header: string): string | undefined {
  const [scheme = "", token = ""] = header.trim().split(" ");
  return scheme.toLowerCase() === "bearer" && token !== "" ? token : undefined;
}

async function reviewToken(
  token: string,
  { review, audiences = [] }: TokenOptions,
  signal: AbortSignal,
): Promise<UserInfo | undefined> {
  const status = await review({ token, ...(audiences.length > 0 && { audiences }) }, signal);
  const isMeant =
    audiences.length === 0 || status.audiences?.some((audience) => audiences.includes(audience));
  if (!status.authenticated || !isMeant) {
    if (status.error) throw new AuthenticationError(status.error);
    return undefined;
  }
  const { username = "", uid = "", groups = [], extra } = status.user ?? {};
  return { name: username, ...(uid !== "" && { uid }), groups, ...(extra && { extra }) };
}
