import type { Clock } from "@rookery/kube";
import {
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from "jose";
import { longestToken, type TokenAuthenticator } from "../../authenticators/authenticator.ts";
import { TokenRefusedError } from "../../errors.ts";
import type { ClaimRules } from "./claim-rules.ts";
import { userFromClaims } from "./claims.ts";
import type { KeySet } from "./key-set.ts";

export interface TokenVerifierOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly rules: ClaimRules;
  readonly keys: KeySet;
  readonly now: Clock;
}

/** Asymmetric signatures only: with a shared secret, verifiers could sign. */
const signatureAlgorithms: readonly string[] = [
  ...["RS256", "RS384", "RS512"],
  ...["PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512"],
  ...["EdDSA", "Ed25519"],
];

/** The tolerance for an issuer's clock that is ahead. Expired tokens are never accepted. */
const notBeforeToleranceSeconds = 5 * 60;

/** Verifies tokens of one issuer for one audience. */
export function createTokenVerifier(options: TokenVerifierOptions): TokenAuthenticator {
  return {
    async authenticate(token) {
      if (token.length > longestToken) throw new TokenRefusedError("it is too long");
      const payload = await verify(token, options);
      assertNotExpired(payload, options.now());
      return userFromClaims(payload, options.rules);
    },
    [Symbol.dispose]() {},
  };
}

async function verify(token: string, options: TokenVerifierOptions): Promise<JWTPayload> {
  const { issuer, audience, keys, now } = options;
  const rules: JWTVerifyOptions = {
    issuer,
    audience,
    algorithms: [...signatureAlgorithms],
    requiredClaims: ["exp"],
    clockTolerance: notBeforeToleranceSeconds,
    currentDate: now(),
  };
  try {
    return await keys.use((resolve) => verifyWith(token, resolve, rules));
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    // The messages of the library contain claims and algorithms, never the token.
    throw new TokenRefusedError(error.message, { cause: error });
  }
}

/** A token without a key ID is verified with each possible key. */
async function verifyWith(
  token: string,
  resolve: JWTVerifyGetKey,
  rules: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, resolve, rules)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, rules)).payload;
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function assertNotExpired({ exp = 0 }: JWTPayload, now: Date): void {
  if (now.getTime() < exp * 1000) return;
  throw new TokenRefusedError(`it expired at ${new Date(exp * 1000).toISOString()}`);
}
