import type { EtcdMember } from "./gateway.ts";
import type { MemberStart } from "./member-pod.ts";

/** A member with the ordinal of its pod. */
export interface Seat {
  readonly ordinal: number;
  readonly member: EtcdMember;
}

/** The state of an ordinal besides its member. */
interface Site extends MemberStart {
  /** The UID of the volume claim, unless it is being deleted. */
  readonly claim: string | undefined;
  /** The UID of the volume claim that its member joined with. */
  readonly joinedWith: string | undefined;
  readonly hasPod: boolean;
  /** Whether the member is in contact with a quorum; a learner may be, too. */
  readonly isHealthy: boolean;
}

export interface MembershipView {
  readonly desired: number;
  readonly seats: readonly Seat[];
  site(ordinal: number): Site;
}

export type MembershipStep =
  | { readonly kind: "none" }
  | { readonly kind: "wait"; readonly why: string }
  | { readonly kind: "add"; readonly ordinal: number }
  | { readonly kind: "promote"; readonly seat: Seat }
  | { readonly kind: "remove"; readonly seat: Seat; readonly why: string }
  /** Remove and add again, with another volume. */
  | { readonly kind: "discard"; readonly seat: Seat; readonly why: string }
  /** Delete the pod, in which nothing has run. */
  | { readonly kind: "restart"; readonly ordinal: number; readonly why: string }
  | { readonly kind: "wipe"; readonly ordinal: number; readonly why: string };

const none: MembershipStep = { kind: "none" };
const wait = (why: string): MembershipStep => ({ kind: "wait", why });

/**
 * Chooses one step, because each step changes the basis of the next.
 *
 * Guarantees: members are added as learners, one at a time, while all voters are healthy or to replace a lost
 * one; they vote once they work with a recorded volume; voters are removed only if a quorum of the others is
 * healthy.
 */
export function nextStep(view: MembershipView): MembershipStep {
  return replaceLost(view) ?? finishJoining(view) ?? fillGap(view) ?? removeSurplus(view) ?? none;
}

/** A member without its data must not return under its old identity: it has voted before. */
function replaceLost(view: MembershipView): MembershipStep | undefined {
  const lost = view.seats.find(({ ordinal, member }) => {
    const { joinedWith, claim } = view.site(ordinal);
    return member.name !== "" && joinedWith !== undefined && claim !== joinedWith;
  });
  if (!lost) return undefined;
  return remove(view, lost, `the volume of ${lost.member.name} is gone`);
}

/**
 * Promotes a learner that works: a voter that is away would be missed in the next vote. A learner that does not
 * start, for example because of foreign data, may be discarded.
 */
function finishJoining(view: MembershipView): MembershipStep | undefined {
  const learner = view.seats.find(({ member }) => member.isLearner);
  if (!learner) return undefined;
  const { ordinal, member } = learner;
  if (ordinal >= view.desired) {
    return { kind: "remove", seat: learner, why: "it is no longer wanted" };
  }
  const site = view.site(ordinal);
  const { isFailing, isHealthy, claim, joinedWith } = site;
  if (isFailing) {
    return {
      kind: "discard",
      seat: learner,
      why: `it was added and does not start: ${site.cause}`,
    };
  }
  if (member.name === "") return awaitStart(learner, site);
  if (isHealthy && claim !== undefined && claim === joinedWith) {
    return { kind: "promote", seat: learner };
  }
  return wait(`member ${ordinal} has started and does not work yet`);
}

/** No wait is endless: another pod may succeed. */
function awaitStart(seat: Seat, { isLate, hasRun, cause }: Site): MembershipStep {
  const { ordinal } = seat;
  const why = `member ${ordinal} has been added and has not started yet: ${cause}`;
  if (!isLate) return wait(why);
  return hasRun ? { kind: "discard", seat, why } : { kind: "restart", ordinal, why };
}

function fillGap(view: MembershipView): MembershipStep | undefined {
  const taken = new Set(view.seats.map(({ ordinal }) => ordinal));
  const ordinal = Array.from({ length: view.desired }, (_, n) => n).find((n) => !taken.has(n));
  if (ordinal === undefined) return undefined;
  const { claim, joinedWith, hasPod } = view.site(ordinal);
  const isOldData = claim !== undefined && (claim === joinedWith || !hasPod);
  if (isOldData) {
    return { kind: "wipe", ordinal, why: `its volume holds the data of a member that was removed` };
  }
  const ill = view.seats.filter((seat) => !view.site(seat.ordinal).isHealthy);
  if (ill.length > 0) return wait(`${namesOf(ill)} must be healthy before a member is added`);
  return { kind: "add", ordinal };
}

function removeSurplus(view: MembershipView): MembershipStep | undefined {
  const surplus = view.seats
    .filter(({ ordinal }) => ordinal >= view.desired)
    .toSorted((a, b) => b.ordinal - a.ordinal)[0];
  return surplus && remove(view, surplus, "it is no longer wanted");
}

function remove(view: MembershipView, seat: Seat, why: string): MembershipStep {
  const others = view.seats.filter((other) => other !== seat && !other.member.isLearner);
  const healthy = others.filter(({ ordinal }) => view.site(ordinal).isHealthy);
  if (healthy.length > 0 && healthy.length >= quorumOf(others.length)) {
    return { kind: "remove", seat, why };
  }
  const reason = `a quorum of the others must be healthy before member ${seat.ordinal} is removed`;
  return wait(`${reason}: ${why}`);
}

export function quorumOf(voters: number): number {
  return Math.floor(voters / 2) + 1;
}

function namesOf(seats: readonly Seat[]): string {
  return seats.map(({ ordinal, member }) => member.name || `member ${ordinal}`).join(", ");
}
