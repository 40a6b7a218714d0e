import { getOptional, ignoreAlreadyExists } from "@rookery/client";
import {
  builtInResources,
  type Clock,
  formatApiVersion,
  isConflict,
  type ObjectKey,
} from "@rookery/kube";
import type { MonotonicClock } from "../clock/clock.ts";
import type { Lease, LeaseClient, LeaseSpec } from "./lease.ts";
import { heldSpec, isSameTerm, releasedSpec } from "./lease-record.ts";

export interface CandidateOptions {
  readonly leases: LeaseClient;
  readonly key: Required<ObjectKey>;
  readonly identity: string;
  readonly leaseDuration: number;
  readonly clock: MonotonicClock;
  readonly wallClock: Clock;
  /** Called when the lease had to be read before it could be renewed. */
  readonly onSlowPath: () => void;
}

/** How a try ended: it is held by this candidate, or by the one that is named. */
export type Outcome = { readonly held: true } | { readonly held: false; readonly holder: string };

/** What was seen of a lease, and when by the time of this process: clocks of others don't count. */
interface Observation {
  readonly lease: Lease;
  readonly at: number;
}

/** One candidate's dealings with a lease: a single try to get or keep it, and its return. */
export class LeaseCandidate {
  readonly #options: CandidateOptions;
  #observed: Observation | undefined;

  constructor(options: CandidateOptions) {
    this.#options = options;
  }

  /** Who holds the lease, as far as is known; "" for nobody. */
  get holder(): string {
    return this.#observed?.lease.spec?.holderIdentity ?? "";
  }

  /** Tries once to take the lease: if nobody has it, or its holder was silent for too long. */
  async acquire(signal: AbortSignal): Promise<Outcome> {
    const lease = await this.#get(signal);
    if (!lease) return this.#create(signal);
    this.#observe(lease);
    if (this.holder !== "" && !this.#isOwn() && this.#isValid()) return this.#other();
    return this.#hold(lease, signal);
  }

  /**
   * Tries once to renew the lease that this candidate holds: as it was left, else as it is found.
   * What is somebody else's, or nobody's, is not taken back, because others may have led meanwhile.
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

  /** Gives the lease back, if it is still this candidate's. */
  async release(signal: AbortSignal): Promise<void> {
    const lease = await this.#get(signal);
    if (!lease) return;
    this.#observe(lease);
    if (!this.#isOwn()) return;
    const spec = releasedSpec(lease.spec ?? {}, this.#options.wallClock());
    this.#observe(await this.#options.leases.update({ ...lease, spec }, { signal }));
  }

  /** A conflict says that somebody else was faster; who it was shows the next look. */
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

  #heldSpec(previous: LeaseSpec | undefined): LeaseSpec {
    const { identity, leaseDuration, wallClock } = this.#options;
    return heldSpec(previous, { identity, leaseDuration, now: wallClock() });
  }

  #observe(lease: Lease): void {
    const known = this.#observed;
    const same = known && isSameTerm(known.lease.spec ?? {}, lease.spec ?? {});
    this.#observed = { lease, at: same ? known.at : this.#options.clock.now() };
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
