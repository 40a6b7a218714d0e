import type { CertificateInfo } from "../certificate-info.ts";
import { PkiError } from "../errors.ts";
import type { KeyAlgorithm } from "../keys.ts";
import { canonicalIpAddress, validateServerNames } from "../names.ts";
import { DAY_SECONDS, renewalTime } from "../validity.ts";

/** The names and lifetimes of a serving certificate. */
export interface RotationPolicy {
  readonly commonName: string;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly keyAlgorithm: KeyAlgorithm;
  readonly authorityLifetimeSeconds: number;
  readonly leafLifetimeSeconds: number;
  /** How long before its end a leaf is renewed; a third of its lifetime by default. */
  readonly leafRenewBeforeSeconds?: number;
  /** How long clients may take to notice a new bundle. */
  readonly settleSeconds: number;
}

/** Renewals of certificates made at the same time are spread over this share of their lifetime. */
const RENEWAL_JITTER = 0.05;

/** A year for authorities, 90 days for leaves, a minute to settle. */
export const defaultRotationPolicy = {
  dnsNames: [],
  ipAddresses: [],
  keyAlgorithm: "ecdsa-p256",
  authorityLifetimeSeconds: 365 * DAY_SECONDS,
  leafLifetimeSeconds: 90 * DAY_SECONDS,
  settleSeconds: 60,
} as const satisfies Omit<RotationPolicy, "commonName">;

/** A shorter lifetime would be due for renewal at once, because of the backdate. */
const MINIMUM_LIFETIME_SECONDS = 600;

/** Errors: InvalidName, InvalidLifetime. */
export function validatePolicy(policy: RotationPolicy): void {
  validateServerNames(policy);
  for (const field of ["authorityLifetimeSeconds", "leafLifetimeSeconds"] as const) {
    if (policy[field] >= MINIMUM_LIFETIME_SECONDS) continue;
    const why = `${field} is ${policy[field]}, less than ${MINIMUM_LIFETIME_SECONDS}`;
    throw invalidLifetime(why);
  }
  const { leafLifetimeSeconds: lifetime, leafRenewBeforeSeconds: before = 0 } = policy;
  if (lifetime - before >= MINIMUM_LIFETIME_SECONDS) return;
  throw invalidLifetime(
    `leafRenewBeforeSeconds is ${before}, which leaves less than ${MINIMUM_LIFETIME_SECONDS} ` +
      `of leafLifetimeSeconds ${lifetime}`,
  );
}

function invalidLifetime(why: string): PkiError {
  return new PkiError("InvalidLifetime", `could not plan the rotation of certificates: ${why}`);
}

/** The same time in every process: the jitter is derived from the certificate. */
export function plannedRenewal(info: CertificateInfo): Date {
  const random = Number.parseInt(info.fingerprints.sha256.slice(0, 2), 16) / 0xff;
  return renewalTime(info, RENEWAL_JITTER * random);
}

/** When a leaf is renewed: as the policy says, by default like every certificate. */
export function plannedLeafRenewal(leaf: CertificateInfo, policy: RotationPolicy): Date {
  const { leafRenewBeforeSeconds } = policy;
  if (leafRenewBeforeSeconds === undefined) return plannedRenewal(leaf);
  return new Date(leaf.notAfter.getTime() - leafRenewBeforeSeconds * 1000);
}

/** Whether a leaf has exactly the names of the policy. */
export function hasPolicyNames(leaf: CertificateInfo, policy: RotationPolicy): boolean {
  return (
    leaf.subject.commonName === policy.commonName &&
    sameSet(leaf.dnsNames, policy.dnsNames) &&
    sameSet(leaf.ipAddresses, policy.ipAddresses.map(canonicalIpAddress))
  );
}

function sameSet(left: readonly string[], right: readonly string[]): boolean {
  const [first, second] = [new Set(left), new Set(right)];
  return first.size === second.size && [...first].every((name) => second.has(name));
}
