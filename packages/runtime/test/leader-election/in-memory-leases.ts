import {
  alreadyExistsError,
  conflictError,
  notFoundError,
  serviceUnavailableError,
} from "@rookery/kube";
import type { MonotonicClock } from "../../src/clock/clock.ts";
import { sleep } from "../../src/clock/sleep.ts";
import type { Lease, LeaseClient } from "../../src/leader-election/lease.ts";

/** What befalls a request: milliseconds on its way to the server and back, and its end. */
export interface Journey {
  readonly there: number;
  readonly back: number;
  readonly fate: "answered" | "refused" | "answer lost";
}

const resource = { group: "coordination.k8s.io", resource: "leases" };
const swift: Journey = { there: 0, back: 0, fate: "answered" };

/**
 * For tests: one Lease as an API server keeps it. Who gives up on a request does not take it back:
 * it may still reach the server.
 */
export class InMemoryLeases {
  lease: Lease | undefined;
  readonly #clock: MonotonicClock;
  #version = 0;

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  /** A client whose requests fare as `journey` says, each anew. */
  client(journey: () => Journey = () => swift): LeaseClient {
    const send = (write: () => Lease, { signal }: { signal: AbortSignal }) =>
      this.#send(write, journey(), signal);
    return {
      get: (_, options) => send(() => this.#existing(), options),
      create: (lease, options) => send(() => this.#create(lease), options),
      update: (lease, options) => send(() => this.update(lease), options),
    };
  }

  /** Writes as a client without delays does. */
  update(lease: Lease): Lease {
    if (lease.metadata.resourceVersion !== this.#existing().metadata.resourceVersion) {
      throw conflictError(resource, "lease", "the object has been modified");
    }
    return this.#store(lease);
  }

  #existing(): Lease {
    if (this.lease === undefined) throw notFoundError(resource, "lease");
    return this.lease;
  }

  #create(lease: Lease): Lease {
    if (this.lease !== undefined) throw alreadyExistsError(resource, "lease");
    return this.#store(lease);
  }

  #store(lease: Lease): Lease {
    this.#version += 1;
    const metadata = { ...lease.metadata, resourceVersion: `${this.#version}` };
    this.lease = { ...lease, metadata };
    return this.lease;
  }

  #send(write: () => Lease, journey: Journey, signal: AbortSignal): Promise<Lease> {
    const givenUp = new Promise<never>((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    return Promise.race([this.#travel(write, journey), givenUp]);
  }

  async #travel(write: () => Lease, { there, back, fate }: Journey): Promise<Lease> {
    if (there > 0) await sleep(there, this.#clock);
    if (fate === "refused") throw serviceUnavailableError("overloaded");
    const lease = write();
    if (back > 0) await sleep(back, this.#clock);
    if (fate === "answer lost") throw new Error("socket hang up");
    return lease;
  }
}
