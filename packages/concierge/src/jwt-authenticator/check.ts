import type { JSONWebKeySet } from "jose";
import type { TokenAuthenticator } from "../authenticators/authenticator.ts";
import { Checklist } from "../authenticators/checklist.ts";
import type { Examination } from "../authenticators/registry.ts";
import { readTrust, type Trust } from "../authenticators/trust.ts";
import { checkIssuerUrl } from "./phases/check-issuer-url.ts";
import { checkJwksUrl, discover } from "./phases/discover.ts";
import { fetchKeys, readKeys } from "./phases/fetch-keys.ts";
import type { JwtScope } from "./scope.ts";
import { type ClaimRules, compileClaimRules } from "./tokens/claim-rules.ts";
import { KeySet } from "./tokens/key-set.ts";
import { createTokenVerifier } from "./tokens/token-verifier.ts";

/** Finds out whether tokens of the issuer can be verified, and with what. */
export async function checkJwtAuthenticator(
  scope: JwtScope,
  signal: AbortSignal,
): Promise<Examination> {
  const { spec } = scope;
  const list = new Checklist();
  const trust = await list.check("TLSConfigurationValid", () => readTrust(spec.tls));
  const rules = await list.check("ClaimsValid", () => checkClaims(spec));
  const issuer = await list.check("IssuerURLValid", () => checkIssuerUrl(spec.issuer));
  const getJson = trust && scope.getJson(trust);
  const metadata = await list.check(
    "DiscoveryURLValid",
    getJson && issuer && (() => discover({ spec, url: issuer }, getJson, signal)),
  );
  const jwksUrl = await list.check("JWKSURLValid", metadata && (() => checkJwksUrl(metadata)));
  const initial = await list.check(
    "JWKSFetchValid",
    getJson && jwksUrl && (() => fetchKeys(jwksUrl, getJson, signal)),
  );
  const authenticator = await list.check(
    "AuthenticatorValid",
    trust &&
      rules &&
      jwksUrl &&
      initial &&
      (() => assembled(scope, { trust, rules, jwksUrl, initial })),
  );
  return list.examination(authenticator);
}

interface Found {
  readonly trust: Trust;
  readonly rules: ClaimRules;
  readonly jwksUrl: URL;
  readonly initial: JSONWebKeySet;
}

function assembled(scope: JwtScope, found: Found): { value: TokenAuthenticator; message: string } {
  const { spec, now, clock } = scope;
  const getJson = scope.getJson(found.trust);
  // For all who wait for the keys: none of them may call it off.
  const { signal } = new AbortController();
  const fetch = () => readKeys(found.jwksUrl, getJson, signal);
  const keys = new KeySet({ initial: found.initial, fetch, clock });
  const { issuer, audience } = spec;
  const value = createTokenVerifier({ issuer, audience, rules: found.rules, keys, now });
  return { value, message: "authenticator initialized" };
}

/** Errors: CheckError. */
function checkClaims(spec: JwtScope["spec"]): { value: ClaimRules; message: string } {
  return { value: compileClaimRules(spec), message: "claims and rules are valid" };
}
