import { FakeClock } from "@rookery/testing";
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from "jose";
import { compileClaimRules } from "../../../src/jwt-authenticator/tokens/claim-rules.ts";
import { KeySet } from "../../../src/jwt-authenticator/tokens/key-set.ts";
import { createTokenVerifier } from "../../../src/jwt-authenticator/tokens/token-verifier.ts";

interface SigningKey {
  readonly kid?: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** What is undefined is left out of the token. */
export type Claims = Readonly<Record<string, unknown>>;

export const issuerUrl = "https://issuer.example.com";
export const audience = "the-cluster";

export async function signingKey(alg: string, kid?: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), alg, ...(kid && { kid }) };
  return { alg, privateKey, jwk, ...(kid && { kid }) };
}

/** An issuer in memory, with a verifier for its tokens. */
export class TestIssuer {
  readonly clock = new FakeClock();
  keys: SigningKey[];
  fetches = 0;
  isDown = false;
  readonly verifier;

  constructor(...keys: SigningKey[]) {
    this.keys = keys;
    const fetch = async () => {
      this.fetches += 1;
      if (this.isDown) throw new Error("the issuer is down");
      return this.keySet;
    };
    this.verifier = createTokenVerifier({
      issuer: issuerUrl,
      audience,
      rules: compileClaimRules({}),
      keys: new KeySet({ initial: this.keySet, fetch, clock: this.clock }),
      now: this.clock.date,
    });
  }

  get keySet(): JSONWebKeySet {
    return { keys: this.keys.map(({ jwk }) => jwk) };
  }

  /** Good claims, for the next five minutes. */
  claims(changes: Claims = {}): JWTPayload {
    const now = Math.floor(this.clock.date().getTime() / 1000);
    const groups = ["birds", "swimmers"];
    return {
      iss: issuerUrl,
      aud: audience,
      username: "pip",
      groups,
      iat: now,
      exp: now + 300,
      ...changes,
    };
  }

  /** A token that is signed with the first key unless told otherwise. */
  async token(
    changes: Claims = {},
    header: Partial<JWTHeaderParameters> = {},
    key = this.keys[0],
  ): Promise<string> {
    if (key === undefined) throw new Error("the issuer has no key");
    const { alg, kid, privateKey } = key;
    return new SignJWT(this.claims(changes))
      .setProtectedHeader({ alg, ...(kid && { kid }), ...header })
      .sign(privateKey);
  }

  authenticate(token: string) {
    return this.verifier.authenticate(token, new AbortController().signal);
  }
}

/** One part of a token by hand, with no regard for what is allowed. */
export function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
