import assert from "node:assert/strict";
import { FakeClock } from "@rookery/testing";
import {
  LeaderElector,
  type LeaderElectorOptions,
} from "../../src/leader-election/leader-elector.ts";
import type { Leadership } from "../../src/leader-election/leadership.ts";
import type { LeaseSpec } from "../../src/leader-election/lease.ts";
import { InMemoryLeases, type Journey } from "./in-memory-leases.ts";

export const key = { namespace: "system", name: "lease" };
export const answered: Journey = { there: 0, back: 0, fate: "answered" };
export const refused: Journey = { there: 0, back: 0, fate: "refused" };

/** For tests: candidates for one lease, whose requests fare as `journey` says. */
export class Election {
  readonly clock = new FakeClock();
  readonly leases = new InMemoryLeases(this.clock);
  readonly stop = new AbortController();
  journey: Journey = answered;
  requests = 0;

  get spec(): LeaseSpec {
    return this.leases.lease?.spec ?? {};
  }

  elector(identity: string, options: Partial<LeaderElectorOptions> = {}): LeaderElector {
    const leases = this.leases.client(() => {
      this.requests += 1;
      return this.journey;
    });
    const { clock } = this;
    const wallClock = () => new Date(Date.UTC(2030, 0, 1) + clock.now());
    const random = () => 0;
    const own = { leases, lease: key, identity, clock, wallClock, random };
    return new LeaderElector({ ...own, ...options });
  }

  /** Whether the candidate leads, from when on, and how it ended. */
  candidate(identity: string, options: Partial<LeaderElectorOptions> = {}) {
    const { clock } = this;
    const elector = this.elector(identity, options);
    const state: { leadership?: Leadership; since?: number; error?: unknown } = {};
    elector.acquire(this.stop.signal).then(
      (leadership) => Object.assign(state, { leadership, since: clock.now() }),
      (error) => Object.assign(state, { error }),
    );
    return state;
  }

  /** Writes the lease as somebody else. */
  write(spec: LeaseSpec): void {
    const { lease } = this.leases;
    assert.ok(lease);
    this.leases.update({ ...lease, spec: { ...lease.spec, ...spec } });
  }
}

/** Why it does not lead any more. */
export function lostBy(state: { leadership?: Leadership }): unknown {
  return state.leadership?.lost.reason;
}
