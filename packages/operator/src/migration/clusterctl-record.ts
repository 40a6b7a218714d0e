import { type ProviderIdentity, type ProviderKind, providerKindNames } from "@rookery/components";
import type { KubeObject } from "@rookery/kube";

/** On a record that is not migrated: the reason, and what to do about it. */
export const migrationAnnotation = "management.cluster.x-k8s.io/migration";

/** The object in which clusterctl keeps that a provider is installed: its kind is `Provider`. */
export interface ClusterctlRecord extends KubeObject {
  readonly providerName?: string;
  readonly type?: string;
  readonly version?: string;
  /** The one namespace that the provider watches; all of them where it is empty. */
  readonly watchedNamespace?: string;
}

/** Which provider a record is of; undefined where its type is none that there is a kind for. */
export function identityOf({ type, providerName }: ClusterctlRecord): ProviderIdentity | undefined {
  const kind = providerKindNames.find((name): name is ProviderKind => name === type);
  return kind && providerName ? { kind, name: providerName } : undefined;
}

export function isSameProvider(a: ProviderIdentity, b: ProviderIdentity | undefined): boolean {
  return a.kind === b?.kind && a.name === b.name;
}
