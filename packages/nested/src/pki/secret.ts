import { createHash } from "node:crypto";
import { clusterNameLabel, clusterSecretType } from "@rookery/cluster-api";
import {
  controllerReferenceTo,
  isControlledBy,
  type KubeObject,
  type PartialObjectMetadata,
} from "@rookery/kube";
import { type CertificateAndKey, PkiError, type PkiErrorCode } from "@rookery/pki";
import type { ReasonOf } from "../conditions.ts";
import { ControlPlaneError } from "../errors.ts";

export interface Secret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

/** The decoded values of a Secret by their keys. */
export type SecretTexts = Readonly<Record<string, string>>;

/** Decoded values to set, and null for keys to remove. */
export type SecretChanges = Readonly<Record<string, string | null>>;

export interface SecretStore {
  get(name: string): Promise<Secret | undefined>;
  /** Returns the existing Secret if there is one. */
  create(secret: Secret): Promise<Secret>;
  /** Changes keys of a Secret, unless it has changed since it was read. */
  write(secret: Secret, changes: SecretChanges): Promise<Secret>;
}

export interface AdoptingStore extends SecretStore {
  /** Makes the control plane the owner of a Secret that has none. */
  adopt(secret: Secret): Promise<Secret>;
}

export interface SecretOwner {
  readonly cluster: string;
  readonly owner: PartialObjectMetadata;
}

/** A Secret of the type of Cluster API, owned by the control plane. */
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

/** Whether the control plane owns it; it never writes other Secrets. */
export function isOurs(secret: Secret, { owner }: SecretOwner): boolean {
  return isControlledBy(secret, owner);
}

/** Whether a Secret has the label of this Cluster. Its name is no proof: users name Clusters. */
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

/** The hash of trusted authorities in the status of components: the SHA-256 of tls.crt. */
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

const solution = "correct the Secret, or delete it so that a good one is made";

/** Runs a function on a certificate of a Secret. Its PkiErrors become ControlPlaneErrors. */
export async function withSecretProblems<T>(name: string, use: () => T | Promise<T>): Promise<T> {
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
  return new ControlPlaneError(reason, `could not use the Secret ${name}: ${why}; ${solution}`);
}

/** Rejects supplied Secrets without the label of the Cluster, unless they are in use already. */
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

export function requiredText(secret: Secret, key: string): string {
  const text = textOf(secret, key);
  if (text) return text;
  throw secretProblem(secret.metadata.name ?? "", "SecretInvalid", `it has no ${key}`);
}

/** The certificate and the key of a Secret. */
export function requiredPair(secret: Secret): CertificateAndKey {
  return { certificate: requiredText(secret, "tls.crt"), key: requiredText(secret, "tls.key") };
}
