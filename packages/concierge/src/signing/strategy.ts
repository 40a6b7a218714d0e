import type { CredentialIssuer } from "@rookery/api";
import { messageOf } from "@rookery/errors";
import type { UserInfo } from "../authenticators/authenticator.ts";

type StrategyEntry = NonNullable<CredentialIssuer["status"]>["strategies"][number];

/** The state of a strategy in a CredentialIssuer. */
export type StrategyReport = Pick<StrategyEntry, "type" | "status" | "reason" | "message">;

/** A client certificate with its key, in PEM. */
export interface IssuedCredential {
  readonly certificate: string;
  readonly key: string;
  readonly expires: Date;
}

export interface SigningStrategy {
  /** The time until the next check, after a successful one. */
  readonly recheckMs: number;
  /** Checks whether it works. Rejects only if the signal is aborted. */
  check(signal: AbortSignal): Promise<StrategyReport>;
  /** Errors: SigningError. */
  sign(user: UserInfo, signal: AbortSignal): Promise<IssuedCredential>;
}

/** The authorities of client certificates in PEM; undefined if the API server accepts none. */
export type ReadClientAuthorities = (signal: AbortSignal) => Promise<string | undefined>;

export const clientAuthoritiesPlace =
  "client-ca-file of the ConfigMap kube-system/extension-apiserver-authentication";

/** The message of an error. Throws the reason of the signal if it is aborted. */
export function failureMessage(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) throw signal.reason;
  return messageOf(error);
}
