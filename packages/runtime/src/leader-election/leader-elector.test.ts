import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@rookery/testing";
import { answered, Election, key, refused } from "../../test/leader-election/election.ts";
import { InMemoryLeases } from "../../test/leader-election/in-memory-leases.ts";
import {
  GracePeriodExceededError,
  LeadershipLostError,
  LeaseTakenError,
  RenewDeadlineError,
} from "../errors.ts";
import { createManager } from "../manager/manager.ts";
import { LeaderElector, type LeaderElectorOptions } from "./leader-elector.ts";

describe("acquiring a lease", () => {
  it("creates it where there is none", async () => {
    const election = new Election();
    const a = election.candidate("a");
    await election.clock.advance(0);
    assert.equal(a.since, 0);
    assert.deepEqual(election.leases.lease, {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { namespace: "system", name: "lease", resourceVersion: "1" },
      spec: {
        holderIdentity: "a",
        leaseDurationSeconds: 15,
        acquireTime: "2030-01-01T00:00:00.000000Z",
        renewTime: "2030-01-01T00:00:00.000000Z",
        leaseTransitions: 0,
      },
    });
  });

  it("waits until the holder was silent for as long as its lease says, by its own time", async () => {
    const election = new Election();
    election.candidate("a");
    await election.clock.advance(0);
    election.write({ holderIdentity: "dead", leaseDurationSeconds: 20, renewTime: "" });
    await election.clock.advance(1_000);
    const b = election.candidate("b");
    await election.clock.advance(19_999);
    assert.equal(b.since, undefined);
    await election.clock.advance(2_000);
    assert.equal(b.since, 21_000);
    assert.equal(election.spec.holderIdentity, "b");
    assert.equal(election.spec.leaseTransitions, 1);
    assert.equal(election.spec.acquireTime, "2030-01-01T00:00:21.000000Z");
  });

  it("never takes one that is renewed", async () => {
    const election = new Election();
    election.candidate("a");
    const b = election.candidate("b");
    await election.clock.advance(120_000);
    assert.equal(b.since, undefined);
    assert.equal(election.spec.renewTime, "2030-01-01T00:02:00.000000Z");
    assert.equal(election.spec.acquireTime, "2030-01-01T00:00:00.000000Z");
    assert.equal(election.spec.leaseTransitions, 0);
  });

  it("is beaten by whoever writes first", async () => {
    const election = new Election();
    election.journey = { ...answered, there: 10 };
    const [a, b] = [election.candidate("a"), election.candidate("b")];
    await election.clock.advance(1_000);
    assert.equal(a.since, 20);
    assert.equal(b.since, undefined);
    assert.equal(b.error, undefined);
  });

  it("goes on while the API does not answer", async () => {
    const election = new Election();
    election.journey = refused;
    const a = election.candidate("a");
    await election.clock.advance(30_000);
    election.journey = answered;
    await election.clock.advance(2_000);
    assert.equal(a.since, 32_000);
  });

  it("ends with the signal's reason, and leaves no timer", async () => {
    const election = new Election();
    election.journey = refused;
    const a = election.candidate("a");
    await election.clock.advance(1_000);
    election.stop.abort(new Error("enough"));
    await election.clock.advance(0);
    assert.match(String(a.error), /enough/);
    assert.equal(election.clock.timers, 0);
  });

  it("tries less often than the retry period by up to 1.2 of it, so that not all try at once", async () => {
    const election = new Election();
    election.journey = refused;
    election.candidate("a", { random: () => 0.5 });
    await election.clock.advance(3_199);
    assert.equal(election.requests, 1);
    await election.clock.advance(1);
    assert.equal(election.requests, 2);
  });

  it("tells who leads", async () => {
    const election = new Election();
    const leaders: string[] = [];
    const a = election.candidate("a");
    await election.clock.advance(0);
    election.candidate("b", { onNewLeader: (leader) => leaders.push(leader) });
    await election.clock.advance(3_000);
    await a.leadership?.release();
    await election.clock.advance(2_000);
    assert.deepEqual(leaders, ["a", "b"]);
  });
});

describe("an election in a manager", () => {
  class Managed extends Election {
    started = 0;
    ended: unknown = "running";

    start(): void {
      const run = this.elector("a").run(this.stop.signal, () => void this.started++);
      run.then(
        () => (this.ended = "stepped down"),
        (error) => (this.ended = error),
      );
    }
  }

  it("gives the lease back when it is told to stop", async () => {
    const election = new Managed();
    election.start();
    await election.clock.advance(5_000);
    assert.equal(election.started, 1);
    assert.equal(election.ended, "running");
    election.stop.abort();
    await election.clock.advance(0);
    assert.equal(election.ended, "stepped down");
    assert.equal(election.spec.holderIdentity, "");
  });

  it("lets the lease run out where work may still be going on", async () => {
    const election = new Managed();
    election.start();
    await election.clock.advance(5_000);
    election.stop.abort(new GracePeriodExceededError(["cluster"], 30_000));
    await election.clock.advance(5_000);
    assert.equal(election.ended, "stepped down");
    assert.equal(election.spec.holderIdentity, "a");
    assert.equal(election.spec.renewTime, "2030-01-01T00:00:04.000000Z");
    assert.equal(election.clock.timers, 0);
  });

  it("rejects with the reason where it is lost", async () => {
    const election = new Managed();
    election.start();
    await election.clock.advance(0);
    election.journey = refused;
    await election.clock.advance(10_000);
    assert.ok(election.ended instanceof RenewDeadlineError);
  });

  it("ends the manager at once, with the reason", async () => {
    const election = new Election();
    const { clock } = election;
    const manager = createManager({ leaderElection: election.elector("a"), clock });
    let aborts = 0;
    manager.add({
      name: "endless work",
      start: (signal) => {
        signal.addEventListener("abort", () => void aborts++);
        return new Promise(() => {});
      },
    });
    const ended = manager.start(election.stop.signal).then(
      () => undefined,
      (error: unknown) => error,
    );
    await clock.advance(1_000);
    election.write({ holderIdentity: "thief" });
    await clock.advance(1_000);
    const error = await ended;
    assert.ok(error instanceof LeadershipLostError);
    assert.ok(error.cause instanceof LeaseTakenError);
    assert.equal(aborts, 1);
  });

  it("resolves where it is told to stop before it led", async () => {
    const election = new Managed();
    election.journey = refused;
    election.start();
    await election.clock.advance(1_000);
    election.stop.abort();
    await election.clock.advance(0);
    assert.equal(election.ended, "stepped down");
    assert.equal(election.started, 0);
  });
});

describe("durations that do not fit together are refused", () => {
  const rows: Record<string, [Partial<LeaderElectorOptions>, RegExp]> = {
    "a lease that ends before its holder stops": [
      { leaseDuration: 10_000 },
      /could not set up leader election: leaseDuration must be greater than renewDeadline/,
    ],
    "a deadline without room for a second try": [
      { renewDeadline: 2_400 },
      /renewDeadline must be greater than retryPeriod\*JitterFactor/,
    ],
    "no pause at all": [{ retryPeriod: 0 }, /retryPeriod must be greater than zero/],
  };
  for (const [name, [options, message]] of Object.entries(rows)) {
    it(name, () => {
      const leases = new InMemoryLeases(new FakeClock()).client();
      assert.throws(() => new LeaderElector({ leases, lease: key, ...options }), message);
    });
  }
});
