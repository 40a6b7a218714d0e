import type { KubeObject } from "@rookery/kube";

/** An autoscaling/v1 Scale: how many replicas something should have, and has. */
export interface Scale
  extends KubeObject<
    { readonly replicas?: number },
    { readonly replicas: number; readonly selector?: string }
  > {}
