import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { Handler } from "@rookery/http";
import { type CompactJWSHeaderParameters, compactVerify, type JWK, SignJWT } from "jose";
import { TokenError } from "../errors.ts";

/** The signing key of service account tokens, and the keys that verify them. */
export interface TokenKeys {
  sign(claims: object): Promise<string>;
  /** The payload of a token with a valid signature. Throws a TokenError. */
  verify(token: string): Promise<unknown>;
  readonly jwks: readonly JWK[];
}

export interface TokenKeyOptions {
  /** In PEM: RSA, or ECDSA on P-256, P-384 or P-521. */
  readonly signingKey: string;
  /** Further public or private keys in PEM that verify tokens, such as those before a rotation. */
  readonly verificationKeys?: readonly string[];
}

interface VerificationKey {
  readonly id: string;
  readonly algorithm: string;
  readonly key: KeyObject;
}

const curves: Readonly<Record<string, string>> = {
  prime256v1: "ES256",
  secp384r1: "ES384",
  secp521r1: "ES512",
};

/** Throws a TokenError for an unusable key. */
export function createTokenKeys({ signingKey, verificationKeys = [] }: TokenKeyOptions): TokenKeys {
  const privateKey = createPrivateKey(signingKey);
  const own = verificationKeyOf(signingKey);
  const others = verificationKeys.map(verificationKeyOf).filter(({ id }) => id !== own.id);
  const keys = [own, ...others];
  const header = { alg: own.algorithm, kid: own.id };
  return {
    sign: (claims) => new SignJWT({ ...claims }).setProtectedHeader(header).sign(privateKey),
    verify: async (token) => {
      const candidates = candidatesFor(token, keys);
      if (candidates.length === 0) throw new TokenError("invalid signature, no keys found");
      return payloadOf(token, candidates);
    },
    jwks: keys.map(({ id, algorithm, key }) => {
      const { kty = "", crv, ...numbers } = key.export({ format: "jwk" });
      return { use: "sig", kty, kid: id, ...(crv && { crv }), alg: algorithm, ...numbers };
    }),
  };
}

function verificationKeyOf(pem: string): VerificationKey {
  const key = createPublicKey(pem);
  const der = key.export({ type: "spki", format: "der" });
  const id = createHash("sha256").update(der).digest("base64url");
  return { id, key, algorithm: algorithmOf(key) };
}

function algorithmOf(key: KeyObject): string {
  if (key.asymmetricKeyType === "rsa") return "RS256";
  const algorithm = curves[key.asymmetricKeyDetails?.namedCurve ?? ""];
  if (algorithm !== undefined) return algorithm;
  throw new TokenError(
    "could not use the key of service accounts: it is neither RSA nor on P-256, P-384 or P-521",
  );
}

/** A token with a key ID is verified with that key only. */
function candidatesFor(token: string, keys: readonly VerificationKey[]) {
  const { kid } = headerOf(token);
  return kid ? keys.filter(({ id }) => id === kid) : keys;
}

function headerOf(token: string): Partial<CompactJWSHeaderParameters> {
  const [header = ""] = token.split(".");
  try {
    return JSON.parse(Buffer.from(header, "base64url").toString()) as CompactJWSHeaderParameters;
  } catch {
    return {};
  }
}

async function payloadOf(token: string, keys: readonly VerificationKey[]): Promise<unknown> {
  for (const { key, algorithm } of keys) {
    try {
      const { payload } = await compactVerify(token, key, { algorithms: [algorithm] });
      return JSON.parse(new TextDecoder().decode(payload));
    } catch {
      // Try the next key.
    }
  }
  throw new TokenError("go-jose/go-jose: error in cryptographic primitive");
}

interface DiscoveryDocumentOptions {
  readonly keys: Pick<TokenKeys, "jwks">;
  readonly issuer: string;
  /** The external address of this server, such as "127.0.0.1:6443". */
  readonly externalAddress: () => string;
}

/** The OpenID Connect discovery documents, by path; none unless the issuer is an HTTPS URL. */
export function openIdDocuments(options: DiscoveryDocumentOptions): Record<string, Handler> {
  const { keys, issuer, externalAddress } = options;
  if (!issuer.startsWith("https://")) return {};
  const algorithms = new Set(keys.jwks.map(({ alg = "" }) => alg));
  return {
    "/.well-known/openid-configuration": document("application/json", () => ({
      issuer,
      jwks_uri: `https://${externalAddress()}/openid/v1/jwks`,
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: [...algorithms].toSorted(),
    })),
    "/openid/v1/jwks": document("application/jwk-set+json", () => ({ keys: keys.jwks })),
  };
}

function document(mediaType: string, content: () => object): Handler {
  const headers = { "content-type": mediaType, "cache-control": "public, max-age=3600" };
  return ({ method }) => {
    if (method !== "GET" && method !== "HEAD") return { status: 405, headers: {}, body: undefined };
    return { status: 200, headers, body: Buffer.from(JSON.stringify(content())) };
  };
}
