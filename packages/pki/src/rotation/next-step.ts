import { type CertificateInfo, parseCertificate } from "../certificate-info.ts";
import {
  hasPolicyNames,
  plannedLeafRenewal,
  plannedRenewal,
  type RotationPolicy,
} from "./policy.ts";
import { type ActiveCertificates, caBundle, type RotationState } from "./state.ts";

/** What to do next. The first four change the state, the next two the world. */
export type RotationStep =
  | "renewLeaf"
  | "introduceAuthority"
  | "forgetAuthorities"
  | "promoteAuthority"
  | "serve"
  | "publish"
  | { readonly waitUntil: Date };

/** What this process has done; a new one knows nothing of it and serves and publishes again. */
export interface RotationProgress {
  readonly servedCertificate?: string;
  /** The bundle that clients can read, and since when. */
  readonly published?: { readonly bundle: string; readonly since: Date };
}

export interface RotationView {
  readonly policy: RotationPolicy;
  readonly progress: RotationProgress;
  readonly now: Date;
}

/**
 * Decides the next step from the stored state, so that a rotation that was cut off anywhere goes on
 * from there. What keeps the service alive comes before what may fail for want of the API server.
 */
export function nextRotationStep(state: RotationState, view: RotationView): RotationStep {
  const { progress, now } = view;
  const leafIsUsable = hasUsableLeaf(state, now);
  if (leafIsUsable && progress.servedCertificate !== state.active?.leaf.certificate) return "serve";
  if (state.active && needsNewLeaf(state.active, view)) return "renewLeaf";
  if (needsNextAuthority(state, now)) return "introduceAuthority";
  if (state.formerAuthorities.some((pem) => hasExpired(pem, now))) return "forgetAuthorities";
  if (progress.published?.bundle !== caBundle(state)) return "publish";
  const settled = settledAt(progress.published.since, view);
  if (state.nextAuthority && (!leafIsUsable || now >= settled)) return "promoteAuthority";
  return { waitUntil: nextMoment(state, view.policy, settled) };
}

export function hasExpired(certificate: string, now: Date): boolean {
  return now >= parseCertificate(certificate).notAfter;
}

function hasUsableLeaf({ active }: RotationState, now: Date): boolean {
  return active !== undefined && !hasExpired(active.leaf.certificate, now);
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

/** A leaf that ends with its authority gains nothing from a renewal: the next authority will help. */
function canOutlive(leaf: CertificateInfo, authority: CertificateInfo): boolean {
  return leaf.notAfter < authority.notAfter;
}

function settledAt(publishedSince: Date, { policy }: RotationView): Date {
  return new Date(publishedSince.getTime() + policy.settleSeconds * 1000);
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
