import { formatMicroTime } from "@rookery/kube";
import type { LeaseSpec } from "./lease.ts";

/** The next term of a lease: taken from somebody else, or gone on with. */
export function heldSpec(
  previous: LeaseSpec | undefined,
  { identity, leaseDuration, now }: { identity: string; leaseDuration: number; now: Date },
): Required<LeaseSpec> {
  const own = previous?.holderIdentity === identity;
  const time = formatMicroTime(now);
  const transitions = previous?.leaseTransitions ?? 0;
  return {
    holderIdentity: identity,
    // Rounded up: others must never take it for shorter than its holder does.
    leaseDurationSeconds: Math.ceil(leaseDuration / 1000),
    acquireTime: (own && previous.acquireTime) || time,
    renewTime: time,
    leaseTransitions: own || previous === undefined ? transitions : transitions + 1,
  };
}

/** A lease that anybody may take at once. */
export function releasedSpec(previous: LeaseSpec, now: Date): LeaseSpec {
  const time = formatMicroTime(now);
  return {
    holderIdentity: "",
    leaseDurationSeconds: 1,
    acquireTime: time,
    renewTime: time,
    leaseTransitions: previous.leaseTransitions ?? 0,
  };
}

/** Whether two looks at a lease saw the same term, without a renewal in between. */
export function isSameTerm(a: LeaseSpec, b: LeaseSpec): boolean {
  return (
    a.holderIdentity === b.holderIdentity &&
    a.renewTime === b.renewTime &&
    a.acquireTime === b.acquireTime &&
    a.leaseDurationSeconds === b.leaseDurationSeconds &&
    a.leaseTransitions === b.leaseTransitions
  );
}
