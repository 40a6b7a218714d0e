import type {
  Component,
  ComponentKey,
  ProviderFiles,
  ScopeFlags,
  Stage,
} from "@rookery/components";
import type { NamespaceScope } from "@rookery/runtime";
import {
  everyNamespace,
  type NamespaceSet,
  noNamespaces,
  setOf,
} from "../identity/namespace-set.ts";

/** A release of a provider that was, or is being, installed. */
export interface ReleaseReference {
  readonly id: string;
  readonly version: string;
  readonly contract: string;
  /** A hash of the fields of spec that it was rendered for; see `intentOf`. */
  readonly intent: string;
  /** Fields of the spec that have no effect. */
  readonly warnings?: readonly string[];
  /** Flags that its manager may not have. */
  readonly assumptions?: readonly string[];
  /** Adopted from clusterctl: the operator has not rendered it. */
  readonly adopted?: true;
  /** Of an adopted release: a hash of its spec.watch. */
  readonly watch?: string;
  /** The Secret of its variables; absent in older records. */
  readonly variables?: VariablesPin;
  /** The spec.fetchRevision that it was fetched for. */
  readonly fetchRevision?: string;
  /** The flags of its manager for namespaces. */
  readonly scopeFlags?: ScopeFlags;
}

export interface VariablesPin {
  readonly secret: string;
  /** Of its content. */
  readonly hash: string;
}

/** A release with its content. */
export interface Release {
  readonly reference: ReleaseReference;
  /** The fetched files, for other changes at the same version. */
  readonly source: ProviderFiles;
  /** Rendered, in the order to apply them. */
  readonly components: readonly Component[];
}

/** An object that may be in the cluster on the provider's behalf. */
export interface OwnedEntry extends ComponentKey {
  readonly stage: Stage;
  /** A hash of the object that was applied last, with certificates. */
  readonly content?: string;
  /** A hash of the operator's managed fields after that apply, for the detection of drift. */
  readonly fields?: string;
}

/** "Redividing" applies a changed layout; "RollingBack" removes a failed change. */
type InstallPhase =
  | "Removing"
  | "Applying"
  | "Redividing"
  | "Verifying"
  | "Stable"
  | "RollingBack"
  | "Deleting";

export interface FailedChange {
  readonly intent: string;
  readonly message: string;
  readonly outcome: "RolledBack" | "RollBackNotPossible" | "Failed";
}

/** The recorded state of a provider. Every step that it records can be repeated. */
export interface InstallState {
  /** Entries are added before an apply, and removed after the deletion. */
  readonly owned: readonly OwnedEntry[];
  /** Installed, or being installed. */
  readonly release?: ReleaseReference;
  readonly phase: InstallPhase;
  /** Absent if the provider is the only instance. */
  readonly layout?: InstanceLayout;
  /** The target of a rollback. */
  readonly lastGood?: ReleaseReference;
  /** Not tried again until the spec changes. */
  readonly failed?: FailedChange;
  /** The original replicas of paused Deployments by name; kept over changes. */
  readonly replicas?: Readonly<Record<string, number>>;
}

/** The part of one instance among several. */
export interface InstanceLayout {
  /** The namespaces that its manager watches. */
  readonly scope: NamespaceScope;
  /** What limits it to them. */
  readonly by: "flag" | "proxy";
  readonly first: boolean;
  readonly admits: NamespaceScope;
  readonly rbac: "Cluster" | "Namespaced";
  /** Of the first: the namespaces of all accounts with cluster-wide rights. */
  readonly accounts: readonly string[];
  /** A second namespace with credentials; absent for a new instance. */
  readonly credentials?: string;
}

export type Rights = InstanceLayout["rbac"];

/** The namespaces that a recorded provider may watch; all without a layout. */
export function recordedScope({ layout, release, owned }: InstallState): NamespaceSet {
  if (layout) return setOf(layout.scope);
  return release || owned.length > 0 ? everyNamespace : noNamespaces;
}

export function recordedRights({ layout, release, owned }: InstallState): Rights | undefined {
  if (layout) return layout.rbac;
  return release || owned.length > 0 ? "Cluster" : undefined;
}
