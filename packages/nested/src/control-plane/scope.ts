import type { NestedControlPlane } from "@rookery/api";
import type { OwnerCluster } from "@rookery/cluster-api";
import type { Clock, ObjectKey, PartialObjectMetadata } from "@rookery/kube";
import type { Commit } from "@rookery/runtime";
import type { AuthorityExpiry } from "../metrics.ts";
import type { Authority } from "../names.ts";
import type { AdoptingStore } from "../pki/secret.ts";
import type { SecretMemo } from "../pki/secret-memo.ts";
import type { ClusterConfiguration } from "../tenant/kubeadm-config.ts";
import type { Tenants } from "../tenant/tenants.ts";
import type { ComponentObject, ComponentReference } from "./component.ts";
import type { Finding } from "./findings.ts";

/** What was found of the certificates, and when to look at them again. */
export interface Secured {
  readonly certificates: Finding;
  readonly authorities: Finding;
  /** When each authority ends; none while they are not right. */
  readonly expiries: Readonly<Partial<Record<Authority, Date>>>;
  readonly kubeconfig: Finding;
  readonly userKubeconfig: Finding;
  readonly until: Date;
}

/** What one reconcile of a NestedControlPlane needs of the world. */
export interface ControlPlaneDependencies {
  readonly getControlPlane: (key: ObjectKey) => Promise<NestedControlPlane | undefined>;
  /** The Cluster that owns it; undefined where there is none yet. */
  readonly getOwner: (controlPlane: NestedControlPlane) => Promise<OwnerCluster | undefined>;
  /** Writes what changed; returns the object as it is then. */
  readonly commit: Commit<NestedControlPlane>;
  /** Errors: ControlPlaneError where it may not be read. */
  readonly findComponent: (
    reference: ComponentReference,
    namespace: string,
  ) => Promise<ComponentObject | undefined>;
  readonly commitComponent: Commit<ComponentObject>;
  readonly deleteComponent: (component: ComponentObject) => Promise<void>;
  readonly secretsFor: (controlPlane: NestedControlPlane) => AdoptingStore;
  readonly memo: SecretMemo<Secured>;
  /** Secrets that the control plane owns; of each the metadata. */
  readonly ownedSecrets: (
    controlPlane: NestedControlPlane,
  ) => Promise<readonly PartialObjectMetadata[]>;
  readonly deleteSecret: (secret: PartialObjectMetadata) => Promise<void>;
  readonly expiry: Pick<AuthorityExpiry, "set" | "forget">;
  readonly tenants: Pick<Tenants, "watch" | "state" | "hurry" | "forget">;
  /** Tells the tenant about itself; rejects where it does not take it. */
  readonly upload: (
    key: string,
    configuration: ClusterConfiguration,
    signal: AbortSignal,
  ) => Promise<void>;
  /** Names and addresses that somebody may write into a spec for the manager to connect to. */
  readonly allowedHosts: readonly string[];
  readonly clock: Clock;
}

/** What one reconcile is about. */
export interface ControlPlaneScope {
  readonly controlPlane: NestedControlPlane;
  readonly owner: OwnerCluster;
  /** The name of the Cluster, which all parts are named after. */
  readonly cluster: string;
  readonly namespace: string;
  /** What the control plane is known by to what is kept in memory. */
  readonly key: string;
}
