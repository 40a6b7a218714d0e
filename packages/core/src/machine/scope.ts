import type { Cluster, Machine } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { Clock, ObjectKey } from "@rookery/kube";
import type { Commit, EventRecorder } from "@rookery/runtime";
import type { Externals, Lookup } from "../contract/externals.ts";
import type { ProbeState } from "../remote/workload-clusters.ts";
import type { Node } from "./node.ts";

/** What one reconcile of a Machine needs of the world. */
export interface MachineDependencies {
  readonly getMachine: (key: ObjectKey) => Promise<Machine | undefined>;
  readonly getCluster: (key: ObjectKey) => Promise<Cluster | undefined>;
  /** The Machines with the label of the cluster. */
  readonly listMachines: (cluster: Cluster) => Promise<readonly Machine[]>;
  readonly externals: Externals;
  /** A client of the cluster's own API server; undefined while there is no connection. */
  readonly workloadClient: (cluster: Cluster) => Client | undefined;
  readonly probe: (cluster: Cluster) => ProbeState;
  /** Writes what changed; returns the object as it is then. */
  readonly commit: Commit<Machine>;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
}

/** What became of the search for the node of a machine; an error is to be tried again. */
export type NodeLookup =
  | { readonly outcome: "found"; readonly node: Node; readonly error?: unknown }
  | { readonly outcome: "none"; readonly error?: unknown }
  | { readonly outcome: "notConnected" }
  | { readonly outcome: "failed"; readonly error: unknown };

/** The state of a Machine, its parts and its node as one reconcile reads it. */
export interface ObservedMachine {
  readonly cluster: Cluster;
  readonly bootstrap: Lookup;
  readonly infrastructure: Lookup;
  readonly node: NodeLookup;
  readonly probe: ProbeState;
  /** The progress of its deletion. */
  readonly deleting?: { readonly reason: string; readonly message: string };
}
