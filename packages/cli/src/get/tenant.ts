import type { Cluster, NestedControlPlane, Provider, VSphereCluster } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import type { Identity } from "./identities.ts";

/** The steps of the tenancy ladder, the lowest first: how much of what serves a tenant is its own. */
export const rungs = [
  "shared",
  "own identity",
  "own instance",
  "own API group",
  "own control plane",
] as const;

export type Rung = (typeof rungs)[number];

/** Something that serves a tenant and nobody else. */
export interface Belonging {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly rung: Rung;
  /** Why it is not as it should be. */
  readonly problem?: string;
}

/** All that is known of a tenant; its fields are what `-o json` prints. */
export interface Tenant {
  readonly name: string;
  readonly rung: Rung;
  /** Of which kinds there may be more than this user may list. */
  readonly unseen?: readonly string[];
  readonly ready: boolean;
  readonly namespaces: readonly string[];
  readonly clusters: readonly {
    readonly namespace: string;
    readonly name: string;
    readonly available: boolean;
    /** It has its infrastructure, and nobody has asked for machines. */
    readonly withoutMachines: boolean;
  }[];
  readonly belongings: readonly Belonging[];
  /** Why it is not ready. */
  readonly problems: readonly string[];
}

export interface Namespace extends KubeObject {
  readonly status?: { readonly phase?: string };
}

/** What there is in a management cluster, as far as tenants have to do with it. */
export interface Surroundings {
  readonly namespaces: readonly Namespace[];
  readonly clusters: readonly Cluster[];
  readonly providers: readonly Provider[];
  readonly identities: readonly Identity[];
  readonly vsphereClusters: readonly VSphereCluster[];
  readonly controlPlanes: readonly NestedControlPlane[];
  /** NestedClusters may be there before their control planes. */
  readonly nestedClusters: readonly KubeObject[];
  /** Of which kinds there may be more than this user may list; all is known where absent. */
  readonly unseen?: readonly string[];
}
