import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answered, Election, lostBy, refused } from "../../test/leader-election/election.ts";
import { LeaseTakenError, RenewDeadlineError } from "../errors.ts";

describe("a leader", () => {
  it("stops as soon as it sees that the lease is stolen", async () => {
    const election = new Election();
    const a = election.candidate("a");
    await election.clock.advance(1_000);
    election.write({ holderIdentity: "thief", renewTime: "2030-01-01T00:00:01.000000Z" });
    await election.clock.advance(999);
    assert.equal(lostBy(a), undefined);
    await election.clock.advance(1);
    const cause = lostBy(a);
    assert.ok(cause instanceof LeaseTakenError);
    assert.equal(cause.holder, "thief");
    assert.equal(cause.message, "could not renew lease system/lease: thief holds it now");
    assert.equal(election.spec.holderIdentity, "thief");
    assert.equal(election.clock.timers, 0);
  });

  it("does not take back what was taken from it, even where it could at once", async () => {
    const election = new Election();
    const a = election.candidate("a");
    await election.clock.advance(1_000);
    election.write({ holderIdentity: "", leaseDurationSeconds: 1 });
    await election.clock.advance(1_000);
    assert.ok(lostBy(a) instanceof LeaseTakenError);
    assert.equal(election.spec.holderIdentity, "");
  });

  it("stops at the deadline where the API fails, and says why", async () => {
    const election = new Election();
    const a = election.candidate("a");
    await election.clock.advance(4_000);
    election.journey = refused;
    await election.clock.advance(9_999);
    assert.equal(lostBy(a), undefined);
    await election.clock.advance(1);
    const cause = lostBy(a);
    assert.ok(cause instanceof RenewDeadlineError);
    assert.match(String(cause.cause), /overloaded/);
    assert.equal(election.clock.now(), 14_000);
  });

  it("counts the deadline from when the last renewal was sent, not from its answer", async () => {
    const election = new Election();
    const a = election.candidate("a");
    await election.clock.advance(1_999);
    election.journey = { ...answered, back: 4_000 };
    await election.clock.advance(2);
    election.journey = refused;
    await election.clock.advance(9_998);
    assert.equal(lostBy(a), undefined);
    await election.clock.advance(1);
    assert.ok(lostBy(a) instanceof RenewDeadlineError);
    assert.equal(election.clock.now(), 12_000);
  });

  it("survives failures that are shorter than the deadline", async () => {
    const election = new Election();
    const a = election.candidate("a");
    for (let i = 0; i < 5; i++) {
      election.journey = refused;
      await election.clock.advance(5_000);
      election.journey = answered;
      await election.clock.advance(4_000);
    }
    assert.ok(a.leadership);
    assert.equal(lostBy(a), undefined);
  });

  it("gives up a request that hangs after half of the deadline, and tries again at once", async () => {
    const election = new Election();
    const a = election.candidate("a");
    await election.clock.advance(1_999);
    election.journey = { ...answered, there: 60_000 };
    await election.clock.advance(1);
    election.journey = answered;
    const before = election.requests;
    await election.clock.advance(4_999);
    assert.equal(election.requests, before);
    await election.clock.advance(1);
    assert.equal(election.requests, before + 1);
    await election.clock.advance(20_000);
    assert.equal(lostBy(a), undefined);
  });

  it("writes the lease anew where it was deleted", async () => {
    const election = new Election();
    const a = election.candidate("a");
    await election.clock.advance(1_000);
    election.leases.lease = undefined;
    await election.clock.advance(20_000);
    assert.equal(lostBy(a), undefined);
    assert.equal(election.spec.holderIdentity, "a");
  });

  it("goes on where others changed the lease's labels only", async () => {
    const election = new Election();
    const a = election.candidate("a");
    await election.clock.advance(1_000);
    election.write({});
    await election.clock.advance(20_000);
    assert.equal(lostBy(a), undefined);
  });
});

describe("releasing a lease", () => {
  it("lets another candidate lead at its next try", async () => {
    const election = new Election();
    const a = election.candidate("a");
    const b = election.candidate("b");
    await election.clock.advance(5_000);
    await a.leadership?.release();
    assert.equal(election.spec.holderIdentity, "");
    await election.clock.advance(2_000);
    assert.equal(b.since, 6_000);
    assert.equal(election.spec.leaseTransitions, 1);
    assert.equal(lostBy(a), undefined);
  });

  it("leaves the lease alone where it was lost", async () => {
    const election = new Election();
    const a = election.candidate("a");
    await election.clock.advance(0);
    election.journey = refused;
    await election.clock.advance(10_000);
    assert.ok(lostBy(a));
    election.journey = answered;
    await a.leadership?.release();
    assert.equal(election.spec.holderIdentity, "a");
  });

  it("does not fail where the API does", async () => {
    const election = new Election();
    const a = election.candidate("a");
    await election.clock.advance(0);
    election.journey = refused;
    await a.leadership?.release();
    assert.equal(election.clock.timers, 0);
  });
});
