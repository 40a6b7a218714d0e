import type { Cluster, NestedControlPlane, Provider, VSphereCluster } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import type { Identity } from "./identities.ts";

/** The rungs of the tenancy ladder, the lowest first. */
export const rungs = [
  "shared",
  "own identity",
  "own instance",
  "own API group",
  "own control plane",
] as const;

export type Rung = (typeof rungs)[number];

/** An object that serves one tenant only. */
export interface Belonging {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly rung: Rung;
  readonly problem?: string;
}

/** A tenant, as `-o json` prints it. */
export interface Tenant {
  readonly name: string;
  readonly rung: Rung;
  /** The kinds of which the user may not list all objects. */
  readonly unseen?: readonly string[];
  readonly ready: boolean;
  readonly namespaces: readonly string[];
  readonly clusters: readonly {
    readonly namespace: string;
    readonly name: string;
    readonly available: boolean;
    /** It has infrastructure, and its spec has no machines. */
    readonly withoutMachines: boolean;
  }[];
  readonly belongings: readonly Belonging[];
  readonly problems: readonly string[];
}

export interface Namespace extends KubeObject {
  readonly status?: { readonly phase?: string };
}

/** The objects of a management cluster that determine its tenants. */
export interface Surroundings {
  readonly namespaces: readonly Namespace[];
  readonly clusters: readonly Cluster[];
  readonly providers: readonly Provider[];
  readonly identities: readonly Identity[];
  readonly vsphereClusters: readonly VSphereCluster[];
  readonly controlPlanes: readonly NestedControlPlane[];
  /** NestedClusters may exist before their control planes. */
  readonly nestedClusters: readonly KubeObject[];
  /** The kinds of which the user may not list all objects. */
  readonly unseen?: readonly string[];
}
