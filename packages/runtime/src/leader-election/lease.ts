import type { KubeObject, MicroTime, ObjectKey } from "@rookery/kube";

export interface LeaseSpec {
  /** Empty if nobody holds the lease. */
  readonly holderIdentity?: string;
  /** The time that others wait after the last renewal that they saw. */
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: MicroTime;
  readonly renewTime?: MicroTime;
  readonly leaseTransitions?: number;
}

/** A coordination.k8s.io/v1 Lease. */
export type Lease = KubeObject<LeaseSpec>;

interface Options {
  readonly signal: AbortSignal;
}

/** The requests of an election; a ResourceClient of leases has them. Rejects with StatusErrors. */
export interface LeaseClient {
  get(key: ObjectKey, options: Options): Promise<Lease>;
  create(lease: Lease, options: Options): Promise<Lease>;
  /** Rejects with a Conflict if the resourceVersion is not the newest. */
  update(lease: Lease, options: Options): Promise<Lease>;
}
