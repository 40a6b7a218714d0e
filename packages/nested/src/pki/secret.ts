import { createHash } from "node:crypto";
import { clusterNameLabel, clusterSecretType } from "@rookery/cluster-api";
import {
  controllerReferenceTo,
  isControlledBy,
  type KubeObject,
  type PartialObjectMetadata,
} from "@rookery/kube";

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
