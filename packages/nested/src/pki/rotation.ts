import { createCertificateAuthority, parseCertificate, splitCertificates } from "@rookery/pki";
import { type Authority, authorityNames, authoritySecret } from "../names.ts";
import type { PkiScope } from "./scope.ts";
import {
  authorityHash,
  isOurs,
  requiredText,
  type Secret,
  type SecretChanges,
  textOf,
} from "./secret.ts";

/** The key of the next authority, which is trusted and does not sign yet. */
const nextKey = "next.key";
/** The start of the present step. Each step is one write: another process can continue. */
const stepSince = "rotation-step-since";

/** Certificates are backdated by five minutes. */
const backdateMs = 5 * 60 * 1000;

/** The rotation settings of a control plane. */
export interface RotationSettings {
  /** How long before its expiry an authority is rotated; 0 disables it. */
  readonly renewBeforeMs: number;
  readonly overlapMs: number;
  /** Authorities that were issued before this time are rotated, once it has come. */
  readonly rotateAfter?: string | undefined;
}

/** A component whose pods must trust an authority. */
export interface Truster {
  readonly name: string;
  /** The hash of the authority that all its pods trust. */
  readonly hash?: string | undefined;
  /** Whether its kind does not report the authorities that its pods trust. */
  readonly isForeign: boolean;
}

export type Trusters = Readonly<Record<Authority, readonly Truster[]>>;

/** The progress of a rotation. */
export interface Rotation {
  readonly step: "none" | "trust" | "sign" | "blocked";
  readonly message: string;
  /** When the next step is possible by time. */
  readonly until?: Date;
  readonly notAfter: Date;
}

export interface Rotated {
  readonly secret: Secret;
  readonly rotation: Rotation;
}

/**
 * Takes the next step of a rotation that is due: both authorities are trusted and the former signs; both are
 * trusted and the new one signs; only the new one is trusted. A step starts once all pods trust the content of
 * the Secret, and copies of kubeconfigs had time to be renewed.
 */
export async function rotate(
  authority: Authority,
  secret: Secret,
  scope: PkiScope,
): Promise<Rotated> {
  const name = authoritySecret(scope.cluster, authority);
  const bundle = requiredText(secret, "tls.crt");
  const certificates = splitCertificates(bundle);
  const { notAfter } = parseCertificate(bundle);
  const current = {
    secret,
    certificates,
    name,
    notAfter,
    isExpired: notAfter <= scope.clock(),
  } as const;
  const since = textOf(secret, stepSince);
  const isOwn = isOurs(secret, scope);
  if (!isOwn || since === undefined) return start(authority, current, scope);
  const waiting = scope.trusters[authority].filter(({ hash }) => hash !== authorityHash(bundle));
  const until = new Date(Date.parse(since) + scope.rotation.overlapMs);
  const isTime = !(until > scope.clock());
  const step = textOf(secret, nextKey) === undefined ? "sign" : "trust";
  if (current.isExpired && step === "trust") return sign(current, scope);
  if (waiting.length > 0 || !isTime) {
    const message = `${name}: ${phrases[step]}${waitingFor(waiting, isTime ? undefined : until)}`;
    return { secret, rotation: { step, message, notAfter, ...(!isTime && { until }) } };
  }
  return step === "trust" ? sign(current, scope) : finish(current, scope);
}

const phrases = {
  trust: "the new authority is trusted and does not sign yet",
  sign: "the new authority signs, and the former is trusted still",
} as const;

function waitingFor(trusters: readonly Truster[], until: Date | undefined): string {
  const names = trusters.map(({ name }) => name).join(", ");
  const parts = [
    ...(names ? [`until all pods of ${names} have read it`] : []),
    ...(until ? [`until ${until.toISOString()} at least`] : []),
  ];
  return `, ${parts.join(", and ")}`;
}

interface Current {
  readonly secret: Secret;
  readonly certificates: readonly string[];
  readonly name: string;
  readonly notAfter: Date;
  readonly isExpired: boolean;
}

async function start(authority: Authority, current: Current, scope: PkiScope): Promise<Rotated> {
  const { secret, certificates, name, notAfter } = current;
  const dueAt = dueAtOf(certificates[0] ?? "", scope);
  const now = scope.clock();
  if (!scope.isInitialized || dueAt === undefined || dueAt > now) {
    const rotation = { step: "none", message: "", notAfter } as const;
    return { secret, rotation: { ...rotation, ...(dueAt && dueAt > now && { until: dueAt }) } };
  }
  const why = whyBlocked(authority, current, scope);
  if (why) {
    const message = `${name} is due to be replaced (it expires at ${notAfter.toISOString()}): ${why}`;
    return { secret, rotation: { step: "blocked", message, notAfter } };
  }
  const next = await createCertificateAuthority({
    commonName: authorityNames[authority],
    lifetimeSeconds: scope.caValidityMs / 1000,
    now: scope.clock,
  });
  const both = { ...current, certificates: [...certificates, next.certificate] };
  // Nobody trusts an expired authority: there is nothing to wait for.
  if (current.isExpired) return sign(both, scope, next.key);
  return write(both, scope, {
    changes: { "tls.crt": both.certificates.join(""), [nextKey]: next.key, ...stepStart(scope) },
    step: "trust",
  });
}

function sign(current: Current, scope: PkiScope, key?: string): Promise<Rotated> {
  const former = current.certificates.slice(0, -1);
  const next = current.certificates.at(-1) ?? "";
  return write(current, scope, {
    changes: {
      "tls.crt": [next, ...former].join(""),
      "tls.key": key ?? requiredText(current.secret, nextKey),
      [nextKey]: null,
      ...stepStart(scope),
    },
    step: "sign",
  });
}

function finish(current: Current, scope: PkiScope): Promise<Rotated> {
  const [only = ""] = current.certificates;
  return write(current, scope, { changes: { "tls.crt": only, [stepSince]: null }, step: "none" });
}

async function write(
  { secret, name }: Current,
  scope: PkiScope,
  { changes, step }: { readonly changes: SecretChanges; readonly step: "none" | "trust" | "sign" },
): Promise<Rotated> {
  const written = await scope.store.write(secret, changes);
  const { notAfter } = parseCertificate(requiredText(written, "tls.crt"));
  if (step === "none") return { secret: written, rotation: { step, message: "", notAfter } };
  const until = new Date(scope.clock().getTime() + scope.rotation.overlapMs);
  const message = `${name}: ${phrases[step]}${waitingFor([], until)}`;
  return { secret: written, rotation: { step, message, until, notAfter } };
}

function stepStart({ clock }: PkiScope): SecretChanges {
  return { [stepSince]: clock().toISOString() };
}

/** Undefined if it is never due. */
function dueAtOf(certificate: string, { rotation }: PkiScope): Date | undefined {
  const { notBefore, notAfter } = parseCertificate(certificate);
  const { renewBeforeMs, rotateAfter } = rotation;
  const third = (notAfter.getTime() - notBefore.getTime()) / 3;
  const before = Math.min(renewBeforeMs, third);
  const byExpiry = renewBeforeMs > 0 ? [notAfter.getTime() - before] : [];
  // In whole seconds, like certificates.
  const requestedAt = Math.floor(Date.parse(rotateAfter ?? "") / 1000) * 1000;
  const isOlder = notBefore.getTime() + backdateMs < requestedAt;
  const moments = [...byExpiry, ...(isOlder ? [requestedAt] : [])];
  return moments.length > 0 ? new Date(Math.min(...moments)) : undefined;
}

function whyBlocked(
  authority: Authority,
  { secret, certificates, name }: Current,
  scope: PkiScope,
): string | undefined {
  if (!isOurs(secret, scope)) return "it was supplied, and its owner has to replace it";
  if (certificates.length > 1) {
    return `tls.crt has ${certificates.length} certificates: whoever added one has to finish the rotation`;
  }
  const foreign = scope.trusters[authority].filter(({ isForeign }) => isForeign);
  if (foreign.length === 0) return undefined;
  const names = foreign.map((truster) => truster.name).join(", ");
  return `${names} does not report what its pods trust: replace the authority in the Secret ${name} manually`;
}
