import type { JWTAuthenticator } from "@rookery/api";
import {
  type Clock,
  type ConditionStatement,
  type KubeObject,
  withConditions,
} from "@rookery/kube";

/** The status that both kinds of authenticators have. */
export type AuthenticatorStatus = NonNullable<JWTAuthenticator["status"]>;

/** An object of either kind. */
export type AuthenticatorObject = KubeObject<unknown, AuthenticatorStatus>;

const recheckSeconds = 180;
const retrySeconds = 30;

/** The status of an object after an examination. */
export function statusFor(
  object: AuthenticatorObject,
  statements: readonly ConditionStatement[],
  now: Clock,
): AuthenticatorStatus {
  const { status } = withConditions(object, statements, now);
  return {
    conditions: status?.conditions ?? [],
    phase: isReady(statements) ? "Ready" : "Error",
  };
}

/** The seconds until the next examination: an issuer may have moved, or answer again. */
export function recheckAfter(statements: readonly ConditionStatement[]): number {
  return isReady(statements) ? recheckSeconds : retrySeconds;
}

function isReady(statements: readonly ConditionStatement[]): boolean {
  return statements.every(({ status }) => status === "True");
}
