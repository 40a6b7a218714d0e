import type { JWTAuthenticator } from "@rookery/api";
import { type Clock, type Condition, type KubeObject, setCondition } from "@rookery/kube";
import type { Finding } from "./checklist.ts";

/** The status that both kinds of authenticators have. */
export type AuthenticatorStatus = NonNullable<JWTAuthenticator["status"]>;

/** An object of either kind. */
export type AuthenticatorObject = KubeObject<unknown, AuthenticatorStatus>;

const recheckSeconds = 180;
const retrySeconds = 30;

/** The status that an object should have after it was examined. */
export function statusFor(
  object: AuthenticatorObject,
  findings: readonly Finding[],
  now: Clock,
): AuthenticatorStatus {
  const { generation = 0 } = object.metadata;
  const conditions = findings.reduce<readonly Condition[]>(
    (list, finding) => setCondition(list, { ...finding, observedGeneration: generation }, now),
    object.status?.conditions ?? [],
  );
  return { conditions, phase: isReady(findings) ? "Ready" : "Error" };
}

/** After how many seconds to look again: an issuer may have moved, or come back. */
export function recheckAfter(findings: readonly Finding[]): number {
  return isReady(findings) ? recheckSeconds : retrySeconds;
}

function isReady(findings: readonly Finding[]): boolean {
  return findings.every(({ status }) => status === "True");
}
