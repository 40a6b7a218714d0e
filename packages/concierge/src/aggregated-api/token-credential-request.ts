import { formatTime, type KubeObject } from "@rookery/kube";
import type { Logger } from "@rookery/runtime";
import type { UserInfo } from "../authenticators/authenticator.ts";
import { TokenRefusedError } from "../errors.ts";
import type { IssuedCredential } from "../signing/strategy.ts";
import type { AuthenticatorLookup, AuthenticatorReference } from "./authenticator-lookup.ts";

export interface TokenCredentialRequestSpec {
  readonly token?: string;
  readonly authenticator?: AuthenticatorReference;
}

export interface TokenCredentialRequestStatus {
  readonly credential?: {
    readonly expirationTimestamp: string;
    readonly clientCertificateData: string;
    readonly clientKeyData: string;
  };
  readonly message?: string;
}

export type TokenCredentialRequest = KubeObject<
  TokenCredentialRequestSpec,
  TokenCredentialRequestStatus
>;

export interface TokenExchangeDependencies {
  readonly find: AuthenticatorLookup;
  readonly sign: (user: UserInfo, signal: AbortSignal) => Promise<IssuedCredential>;
  readonly logger: Logger;
}

/** Whatever the reason is, nobody learns more: it would help those who guess. */
const failure: TokenCredentialRequestStatus = { message: "authentication failed" };

/** Trades a token for a client certificate. What fails is told in the log alone. */
export async function exchangeToken(
  { token = "", authenticator = {} }: TokenCredentialRequestSpec,
  dependencies: TokenExchangeDependencies,
  signal: AbortSignal,
): Promise<TokenCredentialRequestStatus> {
  const logger = dependencies.logger.withValues({ authenticator });
  try {
    const user = await authenticate(token, authenticator, { ...dependencies, signal });
    const credential = await dependencies.sign(user, signal);
    logger.info("Issued a client certificate", {
      username: user.username,
      expires: formatTime(credential.expires),
    });
    return { credential: inWords(credential) };
  } catch (error) {
    if (error instanceof TokenRefusedError) logger.info("Refused a token", { why: error.message });
    else logger.error(error, "Could not trade a token");
    return failure;
  }
}

async function authenticate(
  token: string,
  reference: AuthenticatorReference,
  { find, signal }: Pick<TokenExchangeDependencies, "find"> & { readonly signal: AbortSignal },
): Promise<UserInfo> {
  const authenticator = find(reference);
  if (!authenticator) throw new TokenRefusedError("there is no such authenticator that is ready");
  return authenticator.authenticate(token, signal);
}

function inWords({ certificate, key, expires }: IssuedCredential) {
  return {
    expirationTimestamp: formatTime(expires),
    clientCertificateData: certificate,
    clientKeyData: key,
  };
}
