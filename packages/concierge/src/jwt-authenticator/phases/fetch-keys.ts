import { importJWK, type JSONWebKeySet, type JWK } from "jose";
import type { Checked } from "../../authenticators/checklist.ts";
import { CheckError, OutboundError } from "../../errors.ts";
import type { GetJson } from "./discover.ts";

/** Each key may be tried for a token; issuers have two or three. */
const mostKeys = 100;

/** Fetches the keys of an issuer that can verify signatures. */
export async function readKeys(
  url: URL,
  getJson: GetJson,
  signal: AbortSignal,
): Promise<JSONWebKeySet> {
  const body = await getJson(url, signal);
  const { keys } = (body ?? {}) as { readonly keys?: unknown };
  if (!Array.isArray(keys)) throw unusable(url, 'the answer has no list of "keys"');
  if (keys.length > mostKeys) throw unusable(url, `it has more than ${mostKeys} keys`);
  const usable: JWK[] = [];
  for (const key of keys) if (await isVerificationKey(key)) usable.push(key);
  if (usable.length > 0) return { keys: usable };
  const why = `none of its ${keys.length} keys is a public key for RS, PS, ES or EdDSA signatures`;
  throw unusable(url, why);
}

/** The same as a check. Errors: CheckError. */
export async function fetchKeys(
  url: URL,
  getJson: GetJson,
  signal: AbortSignal,
): Promise<Checked<JSONWebKeySet>> {
  try {
    const keys = await readKeys(url, getJson, signal);
    return { value: keys, message: "successfully fetched jwks" };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const message = `could not fetch the keys of the issuer: ${error.message}`;
    throw new CheckError("InvalidCouldNotFetchJWKS", message);
  }
}

/** Secret and private keys are not used: an issuer must not publish them. */
async function isVerificationKey(key: unknown): Promise<boolean> {
  if (typeof key !== "object" || key === null) return false;
  const { kty, use, d } = key as JWK;
  if (kty === "oct" || d !== undefined || (use !== undefined && use !== "sig")) return false;
  try {
    await importJWK(key as JWK, (key as JWK).alg ?? algorithmFor(key as JWK));
    return true;
  } catch {
    return false;
  }
}

/** Any algorithm of the key's type, to test whether the key can be imported. */
function algorithmFor({ kty, crv }: JWK): string {
  if (kty === "RSA") return "RS256";
  if (kty === "EC")
    return { "P-256": "ES256", "P-384": "ES384", "P-521": "ES512" }[crv ?? ""] ?? "";
  return "EdDSA";
}

function unusable(url: URL, why: string): OutboundError {
  return new OutboundError({ method: "GET", url: `${url.origin}${url.pathname}` }, why);
}
