import { createHash } from "node:crypto";
import { clusterNameLabel, clusterSecretType } from "@rookery/cluster-api";
import {
  controllerReferenceTo,
  isControlledBy,
  type KubeObject,
  type PartialObjectMetadata,
} from "@rookery/kube";
import { PkiError, type PkiErrorCode } from "@rookery/pki";
import type { ReasonOf } from "../conditions.ts";
import { ControlPlaneError } from "../errors.ts";

export interface Secret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

/** The texts of a Secret, by their keys. */
export type SecretTexts = Readonly<Record<string, string>>;

/** Texts that are set, and null for keys that are removed. */
export type SecretChanges = Readonly<Record<string, string | null>>;

/** The Secrets of one namespace, as the PKI needs them. */
export interface SecretStore {
  get(name: string): Promise<Secret | undefined>;
  /** Returns what is there already, where somebody was faster. */
  create(secret: Secret): Promise<Secret>;
  /** Changes some keys of a Secret that has not changed since it was read. */
  write(secret: Secret, changes: SecretChanges): Promise<Secret>;
}

/** The same, of which some may become the control plane's. */
export interface AdoptingStore extends SecretStore {
  /** Makes the control plane the owner of a Secret that has none. */
  adopt(secret: Secret): Promise<Secret>;
}

/** Whose Secrets they are. */
export interface SecretOwner {
  readonly cluster: string;
  readonly owner: PartialObjectMetadata;
}

/** A Secret as Cluster API knows it, that belongs to the control plane. */
export function ownedSecret(
  name: string,
  { cluster, owner }: SecretOwner,
  texts: SecretTexts,
): Secret {
  return {
    apiVersion: "v1",
    kind: "Secret",
    type: clusterSecretType,
    metadata: {
      name,
      ...(owner.metadata.namespace && { namespace: owner.metadata.namespace }),
      labels: { [clusterNameLabel]: cluster },
      ownerReferences: [controllerReferenceTo(owner)],
    },
    data: encoded(texts),
  };
}

/** Whether the control plane made it; what it did not make, it never overwrites. */
export function isOurs(secret: Secret, { owner }: SecretOwner): boolean {
  return isControlledBy(secret, owner);
}

/**
 * Whether somebody made a Secret for this Cluster. Names alone do not say so: who names a Cluster after
 * another one's Secret must not have it used.
 */
export function isFor({ metadata }: Secret, { cluster }: Pick<SecretOwner, "cluster">): boolean {
  return metadata.labels?.[clusterNameLabel] === cluster;
}

export function textOf({ data }: Secret, key: string): string | undefined {
  const value = data?.[key];
  return value === undefined ? undefined : Buffer.from(value, "base64").toString("utf8");
}

export function encoded<Text extends string | null>(
  texts: Readonly<Record<string, Text>>,
): Record<string, Text> {
  const encode = (text: string | null) => text && Buffer.from(text, "utf8").toString("base64");
  const entries = Object.entries(texts).map(([key, text]) => [key, encode(text)]);
  return Object.fromEntries(entries);
}

/** What components say that they trust, and what sha256sum prints of a Secret's tls.crt. */
export function authorityHash(certificates: string): string {
  return createHash("sha256").update(certificates).digest("hex");
}

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
