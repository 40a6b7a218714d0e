import {
  type CertificateAndKey,
  type CertificateAuthority,
  keyMatchesCertificate,
  PkiError,
  parseCertificate,
  splitCertificates,
  verifyCertificate,
} from "@rookery/pki";
import { ControlPlaneError, ServiceRangeError } from "../errors.ts";
import { leafSecret, signingCertificate } from "../names.ts";
import { allOrProblems } from "../problems.ts";
import type { Authorities } from "./authorities.ts";
import { ensureCompanion } from "./companion.ts";
import { controllerManagerKubeconfig, type LeafPlan, leafPlans, renewalOf } from "./leaf-plans.ts";
import type { PkiScope } from "./scope.ts";
import {
  isOurs,
  ownedSecret,
  refuseForeign,
  requiredPair,
  requiredText,
  type Secret,
  type SecretTexts,
  textOf,
  withSecretProblems,
} from "./secret.ts";

/**
 * Creates and renews certificates. Returns the time of the next check. Errors: ControlPlaneError.
 */
export async function ensureLeaves(scope: PkiScope, authorities: Authorities): Promise<Date> {
  const plans = plansFor(scope);
  const checks = await allOrProblems(plans.map((plan) => ensureLeaf(plan, scope, authorities)));
  return new Date(Math.min(...checks.map((date) => date.getTime())));
}

function plansFor(scope: PkiScope): LeafPlan[] {
  try {
    const plans = leafPlans(scope);
    return scope.awaitsEndpoint ? plans.filter(({ leaf }) => leaf !== "apiserver-serving") : plans;
  } catch (error) {
    if (!(error instanceof ServiceRangeError)) throw error;
    throw new ControlPlaneError("CertificateUnsuitable", error.message, { cause: error });
  }
}

async function ensureLeaf(
  plan: LeafPlan,
  scope: PkiScope,
  authorities: Authorities,
): Promise<Date> {
  const authority = authorities[plan.authority];
  const name = leafSecret(scope.cluster, plan.leaf);
  const found = await scope.store.get(name);
  if (found) refuseForeign(found, scope);
  const signing = { scope, authority };
  const current =
    found ?? (await scope.store.create(ownedSecret(name, scope, await issue(name, plan, signing))));
  const kept = isOurs(current, scope)
    ? await renewIfDue(current, plan, signing)
    : await useSupplied(current, plan, signing);
  return nextCheck(requiredText(kept, "tls.crt"), authority, scope);
}

interface Signing {
  readonly scope: PkiScope;
  readonly authority: CertificateAuthority;
}

async function renewIfDue(secret: Secret, plan: LeafPlan, signing: Signing): Promise<Secret> {
  if (isCurrent(secret, plan, signing)) return secret;
  const texts = await issue(secret.metadata.name ?? "", plan, signing);
  return signing.scope.store.write(secret, texts);
}

/** Supplied certificates are checked, never written: their companion has the missing keys. */
async function useSupplied(secret: Secret, plan: LeafPlan, signing: Signing): Promise<Secret> {
  const { scope, authority } = signing;
  const pair = requiredPair(secret);
  await withSecretProblems(secret.metadata.name ?? "", () => check(pair, plan, signing));
  const additions = Object.entries(additionsFor(plan, scope, authority));
  const lacking = additions.filter(([addition, text]) => {
    const there = textOf(secret, addition);
    return there === undefined || (addition === signingCertificate && there !== text);
  });
  await ensureCompanion(secret, Object.fromEntries(lacking), scope);
  return secret;
}

async function issue(name: string, plan: LeafPlan, signing: Signing): Promise<SecretTexts> {
  const { scope, authority } = signing;
  const lifetimeSeconds = scope.leafValidityMs / 1000;
  const { certificate, key } = await issued(name, () =>
    authority.issue({ ...plan.options, lifetimeSeconds }),
  );
  return { "tls.crt": certificate, "tls.key": key, ...additionsFor(plan, scope, authority) };
}

/** Invalid names come from the API server's spec. */
async function issued<T>(name: string, issue: () => Promise<T>): Promise<T> {
  try {
    return await issue();
  } catch (error) {
    if (!(error instanceof PkiError)) throw error;
    const solution = "correct certSANs, service.host or the endpoint of the API server";
    const message = `could not make the Secret ${name}: ${error.message}; ${solution}`;
    throw new ControlPlaneError("CertificateUnsuitable", message, { cause: error });
  }
}

function additionsFor(
  { leaf }: LeafPlan,
  scope: PkiScope,
  { certificate }: CertificateAuthority,
): SecretTexts {
  if (leaf !== "controller-manager") return { "ca.crt": certificate };
  return {
    "ca.crt": certificate,
    kubeconfig: controllerManagerKubeconfig(scope),
    [signingCertificate]: splitCertificates(certificate)[0] ?? certificate,
  };
}

function isCurrent(secret: Secret, plan: LeafPlan, signing: Signing): boolean {
  const { scope, authority } = signing;
  const additions = Object.entries(additionsFor(plan, scope, authority));
  if (additions.some(([key, text]) => textOf(secret, key) !== text)) return false;
  const [certificate = "", key = ""] = [textOf(secret, "tls.crt"), textOf(secret, "tls.key")];
  try {
    check({ certificate, key }, plan, signing);
    return hasNames(certificate, plan) && !isDue(certificate, authority, scope);
  } catch (error) {
    if (error instanceof PkiError) return false;
    throw error;
  }
}

function check(
  { certificate, key }: CertificateAndKey,
  { options }: LeafPlan,
  { scope, authority }: Signing,
): void {
  if (!keyMatchesCertificate(key, certificate)) {
    throw new PkiError("KeyMismatch", "the key in tls.key is not that of the certificate");
  }
  const now = scope.clock();
  for (const usage of options.usages) {
    verifyCertificate({ certificate, caBundle: authority.certificate, now, usage });
  }
}

function hasNames(certificate: string, { options }: LeafPlan): boolean {
  const { dnsNames, ipAddresses, subject } = parseCertificate(certificate);
  return (
    subject.commonName === options.commonName &&
    isSameSet(dnsNames, options.dnsNames ?? []) &&
    isSameSet(ipAddresses, options.ipAddresses ?? [])
  );
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.toSorted().join() === b.toSorted().join();
}

/** Whether a third of the validity is left, or less. */
function isDue(certificate: string, authority: CertificateAuthority, scope: PkiScope): boolean {
  return renewalOf(certificate, authority, scope.leafValidityMs / 3) <= scope.clock();
}

/** When a certificate is due or, if it is due already, expires. */
function nextCheck(certificate: string, authority: CertificateAuthority, scope: PkiScope): Date {
  const renewal = renewalOf(certificate, authority, scope.leafValidityMs / 3);
  // Supplied certificates are not renewed: the next check is at their expiry.
  return renewal > scope.clock() ? renewal : parseCertificate(certificate).notAfter;
}
