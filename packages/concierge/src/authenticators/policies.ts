import type { JWTAuthenticator } from "@rookery/api";
import {
  type Clock,
  type ConditionStatement,
  type KubeObject,
  withConditions,
} from "@rookery/kube";

/** The common status of both kinds of authenticators. */
export type AuthenticatorStatus = NonNullable<JWTAuthenticator["status"]>;

export type AuthenticatorObject = KubeObject<unknown, AuthenticatorStatus>;

const recheckSeconds = 180;
const retrySeconds = 30;

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

/** The seconds until the next examination: an issuer may move, or become available. */
export function recheckAfter(statements: readonly ConditionStatement[]): number {
  return isReady(statements) ? recheckSeconds : retrySeconds;
}

function isReady(statements: readonly ConditionStatement[]): boolean {
  return statements.every(({ status }) => status === "True");
}
