import type { Checked } from "../../authenticators/checklist.ts";
import { CheckError, OutboundError } from "../../errors.ts";
import { discoveryUrl } from "./check-issuer-url.ts";

/** The fields of the discovery document that a check reads. */
export interface ProviderMetadata {
  readonly issuer?: unknown;
  readonly jwks_uri?: unknown;
}

export type GetJson = (url: URL, signal: AbortSignal) => Promise<unknown>;

const invalidProbe = "InvalidDiscoveryProbe";

/** Fetches the discovery document of the issuer. Errors: CheckError. */
export async function discover(
  { spec, url }: { readonly spec: { readonly issuer: string }; readonly url: URL },
  getJson: GetJson,
  signal: AbortSignal,
): Promise<Checked<ProviderMetadata>> {
  const metadata = await probe(discoveryUrl(url), getJson, signal);
  if (metadata.issuer !== spec.issuer) {
    const why = `the server says that its issuer is ${JSON.stringify(metadata.issuer)}`;
    const solution = "both must be the same, letter by letter";
    throw new CheckError(invalidProbe, `could not use "${spec.issuer}": ${why}; ${solution}`);
  }
  return { value: metadata, message: "discovery performed successfully" };
}

/** Parses the URL of the issuer's keys. Errors: CheckError. */
export function checkJwksUrl(metadata: ProviderMetadata): Checked<URL> {
  const { jwks_uri: text } = metadata;
  const url = typeof text === "string" ? URL.parse(text) : null;
  if (url === null) {
    const why = `${JSON.stringify(text) ?? "nothing"} is not a URL`;
    throw invalidJwksUrl("InvalidProviderJWKSURL", why);
  }
  if (url.protocol === "https:") return { value: url, message: "jwks_uri is a valid URL" };
  const why = `the scheme of "${url.href}" must be "https"`;
  throw invalidJwksUrl("InvalidProviderJWKSURLScheme", why);
}

function invalidJwksUrl(reason: string, why: string): CheckError {
  return new CheckError(reason, `could not use jwks_uri of the issuer: ${why}`);
}

async function probe(url: URL, getJson: GetJson, signal: AbortSignal): Promise<ProviderMetadata> {
  try {
    const body = await getJson(url, signal);
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new CheckError(invalidProbe, `could not discover the issuer: ${error.message}`);
  }
  throw new CheckError(invalidProbe, `could not discover the issuer: ${url} serves no JSON object`);
}
