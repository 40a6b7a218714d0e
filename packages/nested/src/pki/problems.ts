import { clusterNameLabel } from "@rookery/cluster-api";
import { PkiError, type PkiErrorCode } from "@rookery/pki";
import type { ReasonOf } from "../conditions.ts";
import { ControlPlaneError } from "../errors.ts";
import { isFor, isOurs, type Secret, type SecretOwner, textOf } from "./secret.ts";

const reasons: Partial<Record<PkiErrorCode, ReasonOf<"NestedControlPlane">>> = {
  InvalidCertificate: "SecretInvalid",
  InvalidKey: "SecretInvalid",
  KeyMismatch: "KeyMismatch",
  NotAnAuthority: "NotAnAuthority",
  NotYetValid: "CertificateNotYetValid",
  Expired: "CertificateExpired",
  Untrusted: "UntrustedCertificate",
  InvalidUsage: "CertificateUnsuitable",
  InvalidName: "CertificateUnsuitable",
};

const wayOut = "correct the Secret, or delete it so that a good one is made";

/** Does something with a Secret's certificate; what is wrong with it becomes a ControlPlaneError. */
export async function aboutSecret<T>(name: string, use: () => T | Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    const reason = error instanceof PkiError ? reasons[error.code] : undefined;
    if (reason === undefined) throw error;
    throw secretProblem(name, reason, (error as PkiError).message);
  }
}

export function secretProblem(
  name: string,
  reason: ReasonOf<"NestedControlPlane">,
  why: string,
): ControlPlaneError {
  return new ControlPlaneError(reason, `could not use the Secret ${name}: ${why}; ${wayOut}`);
}

/**
 * Throws a ControlPlaneError where a Secret that the control plane did not make is not for its Cluster.
 * One that has been in use since before this was asked stays in use.
 */
export function refuseForeign(
  secret: Secret,
  scope: SecretOwner & { isInitialized: boolean },
): void {
  if (isOurs(secret, scope) || isFor(secret, scope) || scope.isInitialized) return;
  const label = `${clusterNameLabel}=${scope.cluster}`;
  throw new ControlPlaneError(
    "SecretNotLabelled",
    `could not use the Secret ${secret.metadata.name}: nothing says that it is for the Cluster ${scope.cluster}; ` +
      `set its label ${label}, or give the Cluster another name`,
  );
}

/** A text that has to be there. */
export function requiredText(secret: Secret, key: string): string {
  const text = textOf(secret, key);
  if (text) return text;
  throw secretProblem(secret.metadata.name ?? "", "SecretInvalid", `it has no ${key}`);
}
