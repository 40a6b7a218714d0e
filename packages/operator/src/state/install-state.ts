import type {
  Component,
  ComponentKey,
  ProviderFiles,
  ScopeFlags,
  Stage,
} from "@rookery/components";
import type { InstanceLayout } from "./instance-layout.ts";

/** A rendering of a provider that was, or is being, installed. */
export interface ReleaseReference {
  /** A hash of its content: writing it twice is the same write. */
  readonly id: string;
  readonly version: string;
  readonly contract: string;
  /** A hash of the fields of spec that it was rendered for; see `intentOf`. */
  readonly intent: string;
  /** What the spec asked for and was not done. */
  readonly warnings?: readonly string[];
  /** Flags that its manager may not know. */
  readonly assumptions?: readonly string[];
  /** Taken over from clusterctl: what runs was not rendered by the operator. */
  readonly adopted?: true;
  /** Of one that was taken over: a hash of the spec.watch that it came with. */
  readonly watch?: string;
  /** The Secret of variables that it was rendered with; absent where it has none, or from before they were kept. */
  readonly variables?: VariablesPin;
  /** The spec.fetchRevision that it was fetched for. */
  readonly fetchRevision?: string;
  /** How its manager can be told its namespaces. */
  readonly scopeFlags?: ScopeFlags;
}

/** A Secret of variables as it was. */
export interface VariablesPin {
  readonly secret: string;
  /** Of its content. */
  readonly hash: string;
}

/** A release with all that is needed to apply it again, or to render another one of its version. */
export interface Release {
  readonly reference: ReleaseReference;
  /** As it was fetched: another change at the same version needs no network. */
  readonly source: ProviderFiles;
  /** Rendered, in the order to apply them. */
  readonly components: readonly Component[];
}

/** An object that may be in the cluster on the provider's behalf. */
export interface OwnedEntry extends ComponentKey {
  readonly stage: Stage;
  /** A hash of what was last applied, after certificates were put in. */
  readonly content?: string;
  /** A hash of the operator's own managed fields right after that apply: where it differs, there is drift. */
  readonly fields?: string;
}

/**
 * Where a change is: the old components are removed, the new ones applied, their Deployments become
 * available, all is as it should be; or the old release is coming back, or all of it goes for good. Where
 * namespaces are divided anew, what differs is applied over what runs.
 */
type InstallPhase =
  | "Removing"
  | "Applying"
  | "Redividing"
  | "Verifying"
  | "Stable"
  | "RollingBack"
  | "Deleting";

/** A change that did not work, and what became of it. */
export interface FailedChange {
  readonly intent: string;
  readonly message: string;
  readonly outcome: "RolledBack" | "RollBackNotPossible" | "Failed";
}

/** All that the operator has to remember of a provider. Every step of it can be repeated. */
export interface InstallState {
  /** Grows before anything is applied, and shrinks after it is gone. */
  readonly owned: readonly OwnedEntry[];
  /** What is, or is being put, in the cluster. */
  readonly release?: ReleaseReference;
  readonly phase: InstallPhase;
  /** How the release is laid out as one of several instances; absent where it is the only one. */
  readonly layout?: InstanceLayout;
  /** What a roll-back goes to; kept until the next one is good. */
  readonly lastGood?: ReleaseReference;
  /** What was tried and did not work: not tried again until the spec changes. */
  readonly failed?: FailedChange;
  /** The original replicas of paused Deployments by name, carried over delete and install. */
  readonly replicas?: Readonly<Record<string, number>>;
}
