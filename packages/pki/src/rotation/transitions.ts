import { createCertificateAuthority, loadCertificateAuthority } from "../certificate-authority.ts";
import { PkiError } from "../errors.ts";
import type { CertificateAndKey } from "../keys.ts";
import { COMMON_NAME_LIMIT } from "../names.ts";
import { hasExpired } from "./next-step.ts";
import type { RotationPolicy } from "./policy.ts";
import type { RotationState } from "./state.ts";

/** The steps that change the state. */
export const transitions = {
  introduceAuthority,
  promoteAuthority,
  renewLeaf,
  forgetAuthorities,
};

/** Adds an authority to the bundle, which signs nothing yet. */
async function introduceAuthority(
  state: RotationState,
  policy: RotationPolicy,
  now: Date,
): Promise<RotationState> {
  const { certificate, key } = await createCertificateAuthority({
    commonName: authorityName(policy.commonName, now),
    keyAlgorithm: policy.keyAlgorithm,
    lifetimeSeconds: policy.authorityLifetimeSeconds,
    now: () => now,
  });
  return { ...state, nextAuthority: { certificate, key } };
}

/** Makes the next authority the active one, with a new leaf. */
async function promoteAuthority(
  state: RotationState,
  policy: RotationPolicy,
  now: Date,
): Promise<RotationState> {
  const { active, nextAuthority: authority, formerAuthorities } = state;
  if (!authority)
    throw new PkiError("InvalidState", "could not promote an authority: none is next");
  const leaf = await issueLeaf(authority, policy, now);
  const former = active ? [active.authority.certificate, ...formerAuthorities] : formerAuthorities;
  return { active: { authority, leaf }, formerAuthorities: former };
}

async function renewLeaf(
  state: RotationState,
  policy: RotationPolicy,
  now: Date,
): Promise<RotationState> {
  if (!state.active) throw new PkiError("InvalidState", "could not renew the leaf: none is active");
  const { authority } = state.active;
  return { ...state, active: { authority, leaf: await issueLeaf(authority, policy, now) } };
}

function forgetAuthorities(state: RotationState, _: RotationPolicy, now: Date): RotationState {
  const formerAuthorities = state.formerAuthorities.filter((pem) => !hasExpired(pem, now));
  return { ...state, formerAuthorities };
}

/** Unique for each authority: some clients look up an issuer by its name alone. */
function authorityName(commonName: string, now: Date): string {
  const suffix = `-ca@${Math.floor(now.getTime() / 1000)}`;
  return `${[...commonName].slice(0, COMMON_NAME_LIMIT - suffix.length).join("")}${suffix}`;
}

async function issueLeaf(
  authority: CertificateAndKey,
  policy: RotationPolicy,
  now: Date,
): Promise<CertificateAndKey> {
  const issuer = await loadCertificateAuthority(authority, () => now);
  return issuer.issue({
    commonName: policy.commonName,
    dnsNames: policy.dnsNames,
    ipAddresses: policy.ipAddresses,
    keyAlgorithm: policy.keyAlgorithm,
    lifetimeSeconds: policy.leafLifetimeSeconds,
    usages: ["server"],
  });
}
