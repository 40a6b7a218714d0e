import type { EtcdMember } from "./gateway.ts";
import type { MemberStart } from "./member-pod.ts";

/** A member with the pod that it runs in, by its ordinal. */
export interface Seat {
  readonly ordinal: number;
  readonly member: EtcdMember;
}

/** What is known of one ordinal besides its member. */
interface Site extends MemberStart {
  /** The UID of the volume claim, unless it is being deleted; undefined where there is none. */
  readonly claim: string | undefined;
  /** The UID of the volume claim that its member has begun to work with. */
  readonly joinedWith: string | undefined;
  readonly hasPod: boolean;
  /** Whether the member itself says that it hears from a quorum; a learner may, too. */
  readonly isHealthy: boolean;
}

export interface MembershipView {
  readonly desired: number;
  readonly seats: readonly Seat[];
  site(ordinal: number): Site;
}

/** The one next step towards the members that there should be. */
export type MembershipStep =
  | { readonly kind: "none" }
  | { readonly kind: "wait"; readonly why: string }
  | { readonly kind: "add"; readonly ordinal: number }
  | { readonly kind: "promote"; readonly seat: Seat }
  | { readonly kind: "remove"; readonly seat: Seat; readonly why: string }
  /** To be added anew, with another volume: what is in the present one is nobody's. */
  | { readonly kind: "discard"; readonly seat: Seat; readonly why: string }
  /** Its pod is made anew: nothing has run in it. */
  | { readonly kind: "restart"; readonly ordinal: number; readonly why: string }
  | { readonly kind: "wipe"; readonly ordinal: number; readonly why: string };

const none: MembershipStep = { kind: "none" };
const wait = (why: string): MembershipStep => ({ kind: "wait", why });

/**
 * Decides on the next step, never on two: each changes what the next is decided on.
 *
 * Guarantees: a member is added as a learner, one at a time, and only while all voters are healthy or
 * to replace one that is lost; it votes only once it works, with a volume that is written down; a voter
 * is removed only where a quorum of the others is healthy.
 */
export function nextStep(view: MembershipView): MembershipStep {
  return replaceLost(view) ?? finishJoining(view) ?? fillGap(view) ?? removeSurplus(view) ?? none;
}

/** A member that comes back without its data must not come back as who it was: it has voted before. */
function replaceLost(view: MembershipView): MembershipStep | undefined {
  const lost = view.seats.find(({ ordinal, member }) => {
    const { joinedWith, claim } = view.site(ordinal);
    return member.name !== "" && joinedWith !== undefined && claim !== joinedWith;
  });
  if (!lost) return undefined;
  return remove(view, lost, `the volume of ${lost.member.name} is gone`);
}

/**
 * A learner that has caught up can be made a voter while it is away, and would then be missed in the
 * next vote: of two voters both are needed. One that does not start has the data of another member,
 * or data that are no longer there: it may be given up, as nothing depends on it.
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

/** No pod is waited for without an end: what keeps this one may not keep the next. */
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

/** How many of so many must agree. */
export function quorumOf(voters: number): number {
  return Math.floor(voters / 2) + 1;
}

function namesOf(seats: readonly Seat[]): string {
  return seats.map(({ ordinal, member }) => member.name || `member ${ordinal}`).join(", ");
}
