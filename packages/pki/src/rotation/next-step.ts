import { type CertificateInfo, parseCertificate } from "../certificate-info.ts";
import {
  hasPolicyNames,
  plannedLeafRenewal,
  plannedRenewal,
  type RotationPolicy,
} from "./policy.ts";
import { type ActiveCertificates, caBundle, type RotationState } from "./state.ts";

/** The next step: one of the transitions of the state, an action outside, or to wait. */
export type RotationStep =
  | "renewLeaf"
  | "introduceAuthority"
  | "forgetAuthorities"
  | "promoteAuthority"
  | "serve"
  | "publish"
  | { readonly waitUntil: Date };

/** The actions of this process; a new process serves and publishes again. */
export interface RotationProgress {
  readonly servedCertificate?: string;
  /** The bundle that clients can read, and the time of its publication. */
  readonly published?: { readonly bundle: string; readonly since: Date };
}

export interface RotationView {
  readonly policy: RotationPolicy;
  readonly progress: RotationProgress;
  readonly now: Date;
}

/**
 * Chooses the next step by the stored state, so that an interrupted rotation continues. Steps that keep
 * the service available come before those that need the API server.
 */
export function nextRotationStep(state: RotationState, view: RotationView): RotationStep {
  const { policy, progress, now } = view;
  const { active, nextAuthority, formerAuthorities } = state;
  const isUsable = active !== undefined && !hasExpired(active.leaf.certificate, now);
  if (isUsable && progress.servedCertificate !== active.leaf.certificate) return "serve";
  if (active && needsNewLeaf(active, view)) return "renewLeaf";
  if (needsNextAuthority(state, now)) return "introduceAuthority";
  if (formerAuthorities.some((pem) => hasExpired(pem, now))) return "forgetAuthorities";
  if (progress.published?.bundle !== caBundle(state)) return "publish";
  const settled = new Date(progress.published.since.getTime() + policy.settleSeconds * 1000);
  if (nextAuthority && (!isUsable || now >= settled)) return "promoteAuthority";
  return { waitUntil: nextMoment(state, policy, settled) };
}

export function hasExpired(certificate: string, now: Date): boolean {
  return now >= parseCertificate(certificate).notAfter;
}

function needsNextAuthority({ active, nextAuthority }: RotationState, now: Date): boolean {
  if (nextAuthority) return hasExpired(nextAuthority.certificate, now);
  return !active || now >= plannedRenewal(parseCertificate(active.authority.certificate));
}

function needsNewLeaf(active: ActiveCertificates, { policy, now }: RotationView): boolean {
  const leaf = parseCertificate(active.leaf.certificate);
  const authority = parseCertificate(active.authority.certificate);
  if (now >= authority.notAfter) return false;
  if (!hasPolicyNames(leaf, policy)) return true;
  return canOutlive(leaf, authority) && now >= plannedLeafRenewal(leaf, policy);
}

/** Renewing a leaf that ends with its authority is useless: only the next authority helps. */
function canOutlive(leaf: CertificateInfo, authority: CertificateInfo): boolean {
  return leaf.notAfter < authority.notAfter;
}

function nextMoment(state: RotationState, policy: RotationPolicy, settled: Date): Date {
  const moments = state.formerAuthorities.map((pem) => parseCertificate(pem).notAfter);
  if (state.nextAuthority) moments.push(settled);
  if (state.active) {
    const leaf = parseCertificate(state.active.leaf.certificate);
    const authority = parseCertificate(state.active.authority.certificate);
    if (canOutlive(leaf, authority)) moments.push(plannedLeafRenewal(leaf, policy));
    if (!state.nextAuthority) moments.push(plannedRenewal(authority));
  }
  return new Date(Math.min(...moments.map(Number)));
}
