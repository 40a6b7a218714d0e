import type { Handler } from "@rookery/http";
import type { TokenKeys } from "./token-keys.ts";

export interface DiscoveryDocumentOptions {
  readonly keys: Pick<TokenKeys, "jwks">;
  readonly issuer: string;
  /** Where this server is reached, as in "127.0.0.1:6443". */
  readonly externalAddress: () => string;
}

/**
 * What relying parties of service account tokens ask for, by path. An issuer that is no HTTPS URL
 * has none, as OpenID Connect demands.
 */
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
