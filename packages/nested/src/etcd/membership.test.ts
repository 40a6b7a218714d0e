import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  type MembershipStep,
  type MembershipView,
  nextStep,
  quorumOf,
  type Seat,
} from "./membership.ts";

interface Spot {
  readonly claim?: string;
  readonly joinedWith?: string;
  readonly hasPod?: boolean;
  readonly isHealthy?: boolean;
  readonly isFailing?: boolean;
  readonly isLate?: boolean;
  readonly hasRun?: boolean;
}

const seat = (ordinal: number, change: Partial<Seat["member"]> = {}): Seat => ({
  ordinal,
  member: { id: `${ordinal}`, name: `m${ordinal}`, peerUrls: [], isLearner: false, ...change },
});
const good = (ordinal: number): Spot => ({
  claim: `v${ordinal}`,
  joinedWith: `v${ordinal}`,
  hasPod: true,
  isHealthy: true,
});
const view = (
  desired: number,
  seats: readonly Seat[],
  spots: Record<number, Spot> = {},
): MembershipView => ({
  desired,
  seats,
  site: (ordinal) => {
    const known = seats.some((one) => one.ordinal === ordinal) ? good(ordinal) : {};
    const spot = { ...known, ...spots[ordinal] };
    return {
      claim: spot.claim,
      joinedWith: spot.joinedWith,
      hasPod: spot.hasPod ?? false,
      isHealthy: spot.isHealthy ?? false,
      isFailing: spot.isFailing ?? false,
      isLate: spot.isLate ?? false,
      hasRun: spot.hasRun ?? false,
      cause: "its pod is slow",
    };
  },
});
const said = (step: MembershipStep) =>
  "seat" in step
    ? `${step.kind} ${step.seat.ordinal}`
    : "ordinal" in step
      ? `${step.kind} ${step.ordinal}`
      : step.kind;

const learner = { isLearner: true };
const unstarted = { isLearner: true, name: "" };
const three = [seat(0), seat(1), seat(2)];

describe("the next step towards the members that there should be", () => {
  const rows: Record<string, [view: MembershipView, expected: string]> = {
    "is none where all are there": [view(3, three), "none"],
    "adds the lowest that is missing": [view(3, [seat(0)]), "add 1"],
    "adds none beside a member that is ill": [
      view(3, [seat(0), seat(1)], { 1: { isHealthy: false } }),
      "wait",
    ],
    "waits for a member that has been added": [
      view(3, [seat(0), seat(1, unstarted)], { 1: { isHealthy: false } }),
      "wait",
    ],
    "lets a member vote that works": [view(3, [seat(0), seat(1, learner)]), "promote 1"],
    "lets no member vote that has started and is away": [
      view(3, [seat(0), seat(1, learner)], { 1: { isHealthy: false } }),
      "wait",
    ],
    "lets no member vote whose volume nobody has written down": [
      view(3, [seat(0), seat(1, learner)], { 1: { joinedWith: undefined as never } }),
      "wait",
    ],
    "lets no member vote whose volume is another than it began with": [
      view(3, [seat(0), seat(1, learner)], { 1: { claim: "new" } }),
      "remove 1",
    ],
    "gives a member up that was added and never starts": [
      view(3, [seat(0), seat(1, unstarted)], { 1: { isFailing: true, isHealthy: false } }),
      "discard 1",
    ],
    "gives a member up that has started and lost its volume before that was written down": [
      view(3, [seat(0), seat(1, learner)], {
        1: { claim: "new", joinedWith: undefined as never, isFailing: true, isHealthy: false },
      }),
      "discard 1",
    ],
    "makes the pod anew of a member that was added and has run nothing for long": [
      view(3, [seat(0), seat(1, unstarted)], { 1: { isLate: true, isHealthy: false } }),
      "restart 1",
    ],
    "gives a member up that was added, runs, and has not started for long": [
      view(3, [seat(0), seat(1, unstarted)], {
        1: { isLate: true, hasRun: true, isHealthy: false },
      }),
      "discard 1",
    ],
    "waits for a member that has started and catches up for long": [
      view(3, [seat(0), seat(1, learner)], {
        1: { isLate: true, hasRun: true, isHealthy: false },
      }),
      "wait",
    ],
    "gives no voter up, however often it fails": [
      view(3, three, { 1: { isFailing: true, isHealthy: false } }),
      "none",
    ],
    "takes a learner back that is not wanted any more": [
      view(1, [seat(0), seat(1, unstarted)]),
      "remove 1",
    ],
    "removes the highest of those that are too many": [view(1, three), "remove 2"],
    "removes no healthy one where a quorum would be lost": [
      view(1, three, { 0: { isHealthy: false } }),
      "wait",
    ],
    "removes an ill one where the others are a quorum": [
      view(1, three, { 2: { isHealthy: false } }),
      "remove 2",
    ],
    "removes a member whose volume is another": [
      view(3, three, { 1: { claim: "new", isHealthy: false } }),
      "remove 1",
    ],
    "removes a member whose volume is gone": [
      view(3, three, { 1: { claim: "", isHealthy: false } }),
      "remove 1",
    ],
    "removes no lost member while the others are no quorum": [
      view(3, three, { 1: { claim: "new", isHealthy: false }, 2: { isHealthy: false } }),
      "wait",
    ],
    "leaves a lost member alone where it is the only one": [
      view(1, [seat(0)], { 0: { claim: "new", isHealthy: false } }),
      "wait",
    ],
    "adds a lost member anew, with its new volume": [
      view(3, [seat(0), seat(2)], { 1: { claim: "new", joinedWith: "v1", hasPod: true } }),
      "add 1",
    ],
    "wipes what a removed member has left": [
      view(3, [seat(0)], { 1: { claim: "v1", hasPod: false } }),
      "wipe 1",
    ],
    "wipes the data of a member that somebody removed by hand": [
      view(3, [seat(0), seat(2)], { 1: { claim: "v1", joinedWith: "v1", hasPod: true } }),
      "wipe 1",
    ],
    "has nothing against a member whose volume nobody has written down": [
      view(3, three, { 1: { claim: "v1", joinedWith: undefined as never } }),
      "none",
    ],
  };
  for (const [name, [given, expected]] of Object.entries(rows)) {
    it(name, () => assert.equal(said(nextStep(given)), expected));
  }
});

it("a quorum is more than half", () => {
  assert.deepEqual([1, 2, 3, 4, 5].map(quorumOf), [1, 2, 2, 3, 3]);
});

/** An etcd that joins whoever is added and started, and loses volumes when told. */
class Model {
  readonly seats = new Map<number, Seat>([[0, seat(0)]]);
  readonly spots = new Map<number, Spot>([[0, good(0)]]);
  /** How many of those that are added next do not start. */
  stumbles = 0;
  #serial = 100;

  get view(): Pick<MembershipView, "seats" | "site"> {
    const site = (ordinal: number) => {
      const {
        claim,
        joinedWith,
        hasPod = false,
        isHealthy = false,
        isFailing = false,
      } = this.spots.get(ordinal) ?? {};
      const start = { isFailing, isLate: false, hasRun: false, cause: "" };
      return { claim, joinedWith, hasPod, isHealthy, ...start };
    };
    return { seats: [...this.seats.values()].toSorted((a, b) => a.ordinal - b.ordinal), site };
  }

  lose(ordinal: number): void {
    const spot = this.spots.get(ordinal);
    if (spot?.hasPod)
      this.spots.set(ordinal, { ...spot, claim: `v${this.#serial++}`, isHealthy: false });
  }

  perform(step: MembershipStep): void {
    if (step.kind === "add") {
      this.#add(step.ordinal);
    } else if (step.kind === "discard") {
      this.spots.delete(step.seat.ordinal);
      this.#add(step.seat.ordinal);
    } else if (step.kind === "promote") {
      this.seats.set(step.seat.ordinal, seat(step.seat.ordinal));
    } else if (step.kind === "remove") {
      this.seats.delete(step.seat.ordinal);
      const spot = this.spots.get(step.seat.ordinal);
      this.spots.set(step.seat.ordinal, {
        ...spot,
        isHealthy: false,
        hasPod: spot?.claim !== spot?.joinedWith,
      });
    } else if (step.kind === "wipe") this.spots.delete(step.ordinal);
  }

  #add(ordinal: number): void {
    const { claim = `v${this.#serial++}` } = this.spots.get(ordinal) ?? {};
    const isFailing = this.stumbles > 0;
    this.stumbles -= isFailing ? 1 : 0;
    this.seats.set(ordinal, seat(ordinal, isFailing ? unstarted : learner));
    const joinedWith = isFailing ? {} : { joinedWith: claim };
    this.spots.set(ordinal, {
      claim,
      ...joinedWith,
      hasPod: true,
      isHealthy: !isFailing,
      isFailing,
    });
  }

  get hasQuorum(): boolean {
    const voters = [...this.seats.values()].filter(({ member }) => !member.isLearner);
    const healthy = voters.filter(({ ordinal }) => this.spots.get(ordinal)?.isHealthy);
    return healthy.length >= quorumOf(voters.length);
  }
}

it("whatever is wanted and lost one at a time, members become what they should be and never lose the quorum", () => {
  const order = fc.record({
    desired: fc.constantFrom(1, 3, 5),
    lost: fc.option(fc.nat({ max: 4 })),
    stumbles: fc.nat({ max: 3 }),
  });
  fc.assert(
    fc.property(fc.array(order, { maxLength: 6 }), (orders) => {
      const model = new Model();
      for (const { desired, lost, stumbles } of orders) {
        model.stumbles = stumbles;
        if (lost !== null && model.seats.size >= 3) model.lose(lost);
        assert.ok(model.hasQuorum);
        for (let steps = 0; steps < 40; steps++) {
          const step = nextStep({ ...model.view, desired });
          if (step.kind === "none") break;
          assert.notEqual(step.kind, "wait");
          model.perform(step);
          assert.ok(model.hasQuorum, `after ${said(step)}`);
        }
        assert.deepEqual(
          [...model.seats.keys()].toSorted(),
          Array.from({ length: desired }, (_, n) => n),
        );
      }
    }),
  );
});
