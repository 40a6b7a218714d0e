import { getOptional, ignoreAlreadyExists } from "@rookery/client";
import {
  builtInResources,
  type Clock,
  formatApiVersion,
  formatMicroTime,
  isConflict,
  type ObjectKey,
} from "@rookery/kube";
import type { MonotonicClock } from "../clock/clock.ts";
import type { Lease, LeaseClient, LeaseSpec } from "./lease.ts";

export interface CandidateOptions {
  readonly leases: LeaseClient;
  readonly key: Required<ObjectKey>;
  readonly identity: string;
  readonly leaseDuration: number;
  readonly clock: MonotonicClock;
  readonly wallClock: Clock;
  /** Called when the lease had to be read before the renewal. */
  readonly onSlowPath: () => void;
}

/** The result of an attempt: this candidate holds the lease, or the named one does. */
export type Outcome = { readonly held: true } | { readonly held: false; readonly holder: string };

/** A lease, and when this process saw it: the clocks of other processes do not count. */
interface Observation {
  readonly lease: Lease;
  readonly at: number;
}

/** Acquires, renews and releases a lease for one candidate, with one attempt each. */
export class LeaseCandidate {
  readonly #options: CandidateOptions;
  #observed: Observation | undefined;

  constructor(options: CandidateOptions) {
    this.#options = options;
  }

  /** The last known holder of the lease; "" for none. */
  get holder(): string {
    return this.#observed?.lease.spec?.holderIdentity ?? "";
  }

  /** Takes the lease if nobody holds it, or the holder did not renew it in time. */
  async acquire(signal: AbortSignal): Promise<Outcome> {
    const lease = await this.#get(signal);
    if (!lease) return this.#create(signal);
    this.#observe(lease);
    if (this.holder !== "" && !this.#isOwn() && this.#isValid()) return this.#other();
    return this.#hold(lease, signal);
  }

  /**
   * Renews the lease that this candidate holds, at first without a read. A lease that another candidate holds, or
   * nobody, is not taken back: another process may have led meanwhile.
   */
  async renew(signal: AbortSignal): Promise<Outcome> {
    if (this.#observed && this.#isOwn() && this.#isValid()) {
      try {
        return await this.#hold(this.#observed.lease, signal);
      } catch {
        signal.throwIfAborted();
        this.#options.onSlowPath();
      }
    }
    const lease = await this.#get(signal);
    if (!lease) return this.#create(signal);
    this.#observe(lease);
    return this.#isOwn() ? this.#hold(lease, signal) : this.#other();
  }

  /** Releases the lease, if this candidate still holds it. */
  async release(signal: AbortSignal): Promise<void> {
    const lease = await this.#get(signal);
    if (!lease) return;
    this.#observe(lease);
    if (!this.#isOwn()) return;
    const time = formatMicroTime(this.#options.wallClock());
    const spec: LeaseSpec = {
      holderIdentity: "",
      leaseDurationSeconds: 1,
      acquireTime: time,
      renewTime: time,
      leaseTransitions: lease.spec?.leaseTransitions ?? 0,
    };
    this.#observe(await this.#options.leases.update({ ...lease, spec }, { signal }));
  }

  /** After a conflict another candidate was faster; the next read shows which one. */
  async #hold(lease: Lease, signal: AbortSignal): Promise<Outcome> {
    const spec = this.#heldSpec(lease.spec ?? {});
    try {
      this.#observe(await this.#options.leases.update({ ...lease, spec }, { signal }));
      return { held: true };
    } catch (error) {
      if (this.#isOwn() || !isConflict(error)) throw error;
      return this.#other();
    }
  }

  async #create(signal: AbortSignal): Promise<Outcome> {
    const { key, leases } = this.#options;
    const { kind } = builtInResources.leases;
    const metadata = { namespace: key.namespace, name: key.name };
    const apiVersion = formatApiVersion(builtInResources.leases);
    const lease = { apiVersion, kind, metadata, spec: this.#heldSpec(undefined) };
    const created = await ignoreAlreadyExists(leases.create(lease, { signal }));
    if (!created) return this.#other();
    this.#observe(created);
    return { held: true };
  }

  #get(signal: AbortSignal): Promise<Lease | undefined> {
    return getOptional(this.#options.leases, this.#options.key, { signal });
  }

  /** The spec of the next term, which continues the own term or follows another candidate's. */
  #heldSpec(previous: LeaseSpec | undefined): LeaseSpec {
    const { identity, leaseDuration, wallClock } = this.#options;
    const isOwn = previous?.holderIdentity === identity;
    const time = formatMicroTime(wallClock());
    const transitions = previous?.leaseTransitions ?? 0;
    return {
      holderIdentity: identity,
      // Rounded up: for others the lease must not end earlier than for its holder.
      leaseDurationSeconds: Math.ceil(leaseDuration / 1000),
      acquireTime: (isOwn && previous.acquireTime) || time,
      renewTime: time,
      leaseTransitions: isOwn || previous === undefined ? transitions : transitions + 1,
    };
  }

  #observe(lease: Lease): void {
    const known = this.#observed;
    const isSame = known && isSameTerm(known.lease.spec ?? {}, lease.spec ?? {});
    this.#observed = { lease, at: isSame ? known.at : this.#options.clock.now() };
  }

  #isOwn(): boolean {
    return this.holder === this.#options.identity;
  }

  #isValid(): boolean {
    if (!this.#observed) return false;
    const { lease, at } = this.#observed;
    const duration = (lease.spec?.leaseDurationSeconds ?? 0) * 1000;
    return at + duration > this.#options.clock.now();
  }

  #other(): Outcome {
    return { held: false, holder: this.holder };
  }
}

/** Whether there was no renewal between two states of a lease. */
function isSameTerm(a: LeaseSpec, b: LeaseSpec): boolean {
  return (
    a.holderIdentity === b.holderIdentity &&
    a.renewTime === b.renewTime &&
    a.acquireTime === b.acquireTime &&
    a.leaseDurationSeconds === b.leaseDurationSeconds &&
    a.leaseTransitions === b.leaseTransitions
  );
}
