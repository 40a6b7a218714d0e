import type { Provider } from "@rookery/api";
import { getOptional } from "@rookery/client";
import { type CertificateNeed, componentLabels } from "@rookery/components";
import {
  deepEqual,
  type ObjectKey,
  type ObjectMeta,
  ownerReferenceTo,
  withOwnerReference,
} from "@rookery/kube";
import type { SecretData } from "@rookery/pki";
import type { Secret, SecretClient } from "@rookery/runtime";
import { identityOf } from "../identity/identity.ts";

const managedBy = "app.kubernetes.io/managed-by";
const operator = "rookery-operator";
const certManagers = "cert-manager.io/";

function secretKeyOf({ namespace, secretName }: CertificateNeed): Required<ObjectKey> {
  return { namespace, name: secretName };
}

/** The Secret with the key of the authority, which no pod mounts. */
export function authoritySecretName({ secretName }: CertificateNeed): string {
  return `${secretName}-authority`;
}

export function findSecret(
  secrets: SecretClient,
  need: CertificateNeed,
  signal: AbortSignal,
): Promise<Secret | undefined> {
  return getOptional(secrets, secretKeyOf(need), { signal });
}

export function isOwn({ metadata }: Secret): boolean {
  return metadata.labels?.[managedBy] === operator;
}

/** Whether a user created the Secret. Those of an uninstalled cert-manager are taken over. */
export function isForeign(secret: Secret): boolean {
  const annotations = Object.keys(secret.metadata.annotations ?? {});
  return !isOwn(secret) && !annotations.some((name) => name.startsWith(certManagers));
}

/** Labels and owner of a Secret, for the operator, clusterctl and the garbage collector. */
export function ownMetadata(
  provider: Provider,
): Required<Pick<ObjectMeta, "labels" | "ownerReferences">> {
  const labels = { ...componentLabels(identityOf(provider)), [managedBy]: operator };
  return { labels, ownerReferences: [ownerReferenceTo(provider)] };
}

interface WantedCertificate {
  readonly need: CertificateNeed;
  readonly provider: Provider;
  readonly found: Secret | undefined;
  readonly data: SecretData;
}

/** Writes a certificate into its Secret in the form of cert-manager, if it differs. */
export async function putCertificate(
  secrets: SecretClient,
  { need, provider, found, data }: WantedCertificate,
  signal: AbortSignal,
): Promise<void> {
  const type = "kubernetes.io/tls";
  const metadata = secretKeyOf(need);
  const secret = found ?? { apiVersion: "v1", kind: "Secret", metadata, type };
  const next = withCertificate(secret, provider, data);
  if (!found) await secrets.create(next, { signal });
  else if (!deepEqual(found, next)) await secrets.update(next, { signal });
}

function withCertificate(secret: Secret, provider: Provider, data: SecretData): Secret {
  const own = ownMetadata(provider);
  const { annotations, ...metadata } = withOwnerReference(secret, provider).metadata;
  // They name a Certificate that no longer exists.
  const kept = Object.entries(annotations ?? {}).filter(([name]) => !name.startsWith(certManagers));
  return {
    ...secret,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, ...own.labels },
      ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }),
    },
    data,
  };
}
