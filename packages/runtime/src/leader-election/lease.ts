import type { KubeObject, MicroTime, ObjectKey } from "@rookery/kube";

export interface LeaseSpec {
  /** Nobody's where it is empty. */
  readonly holderIdentity?: string;
  /** How long others wait after a renewal that they have seen. */
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

/** What an election needs of the API; a ResourceClient of leases fits. Rejects with StatusErrors. */
export interface LeaseClient {
  get(key: ObjectKey, options: Options): Promise<Lease>;
  create(lease: Lease, options: Options): Promise<Lease>;
  /** Must refuse with a Conflict where the resourceVersion is not the newest. */
  update(lease: Lease, options: Options): Promise<Lease>;
}
