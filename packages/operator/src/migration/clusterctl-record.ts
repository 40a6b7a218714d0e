import { type ProviderIdentity, type ProviderKind, providerKindNames } from "@rookery/components";
import type { KubeObject } from "@rookery/kube";

/** On a record that is not migrated: the reason, with the way out. */
export const migrationAnnotation = "management.cluster.x-k8s.io/migration";

/** The object with which clusterctl records an installed provider. */
export interface ClusterctlRecord extends KubeObject {
  readonly providerName?: string;
  readonly type?: string;
  readonly version?: string;
  /** The one namespace that the provider watches; all if empty. */
  readonly watchedNamespace?: string;
}

/** Undefined for an unknown type. */
export function identityOf({ type, providerName }: ClusterctlRecord): ProviderIdentity | undefined {
  const kind = providerKindNames.find((name): name is ProviderKind => name === type);
  return kind && providerName ? { kind, name: providerName } : undefined;
}

export function isSameProvider(a: ProviderIdentity, b: ProviderIdentity | undefined): boolean {
  return a.kind === b?.kind && a.name === b.name;
}
