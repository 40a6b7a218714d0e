import { formatTime, type KubeObject } from "@rookery/kube";
import type { Logger } from "@rookery/runtime";
import type { UserInfo } from "../authenticators/authenticator.ts";
import type { AuthenticatorLookup, AuthenticatorReference } from "../authenticators/registry.ts";
import type { SystemNames } from "../authenticators/system-names.ts";
import { SigningError, TokenRefusedError } from "../errors.ts";
import type { IssuedCredential } from "../signing/strategy.ts";

export interface TokenCredentialRequestSpec {
  readonly token?: string;
  readonly authenticator?: AuthenticatorReference;
}

/** A client certificate with its key, in PEM. */
export interface ClusterCredential {
  readonly expirationTimestamp: string;
  readonly clientCertificateData: string;
  readonly clientKeyData: string;
}

export interface TokenCredentialRequestStatus {
  readonly credential?: ClusterCredential;
  readonly message?: string;
}

export type TokenCredentialRequest = KubeObject<
  TokenCredentialRequestSpec,
  TokenCredentialRequestStatus
>;

export interface TokenExchangeDependencies {
  readonly find: AuthenticatorLookup;
  readonly names: Pick<SystemNames, "admit">;
  readonly sign: (user: UserInfo, signal: AbortSignal) => Promise<IssuedCredential>;
  /** Called with the result of each request. */
  readonly onExchange: (trade: ExchangeResult) => void;
  readonly logger: Logger;
}

export interface ExchangeResult {
  /** The kind of the authenticator; "none" without an authenticator that is ready. */
  readonly kind: string;
  readonly result:
    | "Issued"
    | "Refused"
    | "NoAuthenticator"
    | "AuthenticatorFailed"
    | "SigningFailed";
}

/** The same for all reasons: details would help attackers. */
const failure: TokenCredentialRequestStatus = { message: "authentication failed" };

/** Exchanges a token for a client certificate. Only the log shows the reason of a failure. */
export async function exchangeToken(
  { token = "", authenticator: reference = {} }: TokenCredentialRequestSpec,
  { find, names, sign, onExchange, logger: log }: TokenExchangeDependencies,
  signal: AbortSignal,
): Promise<TokenCredentialRequestStatus> {
  const logger = log.withValues({ authenticator: reference });
  const authenticator = find(reference);
  // The client chooses the kind: only known kinds become a label.
  const kind = authenticator === undefined ? "none" : (reference.kind ?? "none");
  try {
    if (!authenticator) throw new TokenRefusedError("there is no such authenticator that is ready");
    const user = names.admit(await authenticator.authenticate(token, signal));
    const credential = await sign(user, signal);
    logger.info("Issued a client certificate", {
      username: user.username,
      expires: formatTime(credential.expires),
    });
    onExchange({ kind, result: "Issued" });
    return { credential: encoded(credential) };
  } catch (error) {
    onExchange({ kind, result: authenticator === undefined ? "NoAuthenticator" : resultOf(error) });
    if (error instanceof TokenRefusedError) logger.info("Refused a token", { why: error.message });
    else logger.error(error, "Could not exchange a token");
    return failure;
  }
}

function resultOf(error: unknown): ExchangeResult["result"] {
  if (error instanceof TokenRefusedError) return "Refused";
  return error instanceof SigningError ? "SigningFailed" : "AuthenticatorFailed";
}

function encoded({ certificate, key, expires }: IssuedCredential): ClusterCredential {
  return {
    expirationTimestamp: formatTime(expires),
    clientCertificateData: certificate,
    clientKeyData: key,
  };
}
