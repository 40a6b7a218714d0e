import type { JSONWebKeySet } from "jose";
import type { TokenAuthenticator } from "../authenticators/authenticator.ts";
import { type Checked, Checklist } from "../authenticators/checklist.ts";
import type { Examination } from "../authenticators/registry.ts";
import { readTrust } from "../authenticators/trust.ts";
import { checkIssuerUrl } from "./phases/check-issuer-url.ts";
import { checkJwksUrl, discover, type GetJson } from "./phases/discover.ts";
import { fetchKeys, readKeys } from "./phases/fetch-keys.ts";
import type { JwtScope } from "./scope.ts";
import { type ClaimRules, compileClaimRules } from "./tokens/claim-rules.ts";
import { KeySet } from "./tokens/key-set.ts";
import { createTokenVerifier } from "./tokens/token-verifier.ts";

/** Checks the issuer, and creates the verifier of its tokens. */
export async function checkJwtAuthenticator(
  scope: JwtScope,
  signal: AbortSignal,
): Promise<Examination> {
  const { spec } = scope;
  const list = new Checklist();
  const trust = await list.check("TLSConfigurationValid", () => readTrust(spec.tls));
  const rules = await list.check("ClaimsValid", () => ({
    value: compileClaimRules(spec),
    message: "claims and rules are valid",
  }));
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
    getJson &&
      rules &&
      jwksUrl &&
      initial &&
      (() => createAuthenticator({ getJson, rules, jwksUrl, initial }, scope)),
  );
  return list.examination(authenticator);
}

interface Found {
  readonly getJson: GetJson;
  readonly rules: ClaimRules;
  readonly jwksUrl: URL;
  readonly initial: JSONWebKeySet;
}

function createAuthenticator(
  { getJson, rules, jwksUrl, initial }: Found,
  { spec, now, clock }: JwtScope,
): Checked<TokenAuthenticator> {
  // Never aborted: several requests wait for the same keys.
  const { signal } = new AbortController();
  const fetch = () => readKeys(jwksUrl, getJson, signal);
  const keys = new KeySet({ initial, fetch, clock });
  const { issuer, audience } = spec;
  const value = createTokenVerifier({ issuer, audience, rules, keys, now });
  return { value, message: "authenticator initialized" };
}
