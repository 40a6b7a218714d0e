import type { NestedControlPlane } from "@rookery/api";
import type { OwnerCluster } from "@rookery/cluster-api";
import type { Clock, ObjectKey } from "@rookery/kube";
import type { Commit } from "@rookery/runtime";
import type { DefaultComponent, DefaultComponentManifest } from "./default-components.ts";

/** What one reconcile of the defaulting controller needs of the world. */
export interface DefaultingDependencies {
  readonly getControlPlane: (key: ObjectKey) => Promise<NestedControlPlane | undefined>;
  readonly getOwner: (controlPlane: NestedControlPlane) => Promise<OwnerCluster | undefined>;
  readonly commit: Commit<NestedControlPlane>;
  readonly clock: Clock;
  /** Creates a component, or returns the one of that name without a change. */
  readonly createComponent: (component: DefaultComponentManifest) => Promise<DefaultComponent>;
  readonly getComponent: (
    kind: DefaultComponentManifest["kind"],
    key: ObjectKey,
  ) => Promise<DefaultComponent | undefined>;
  readonly commitComponent: (
    original: DefaultComponent,
    desired: DefaultComponent,
  ) => Promise<void>;
}
