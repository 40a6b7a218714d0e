import type { Pod } from "./objects.ts";
import { isReady, readySince } from "./pod-state.ts";

const phases: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** Which of two pods is missed less: negative where it is the first. 0 asks the next rule. */
type Rule = (a: Pod, b: Pod) => number;

const unassignedFirst: Rule = (a, b) => Number(!!a.spec.nodeName) - Number(!!b.spec.nodeName);
const earlierPhaseFirst: Rule = (a, b) => phaseOf(a) - phaseOf(b);
const notReadyFirst: Rule = (a, b) => Number(isReady(a)) - Number(isReady(b));
const cheaperFirst: Rule = (a, b) => deletionCost(a) - deletionCost(b);
const moreRestartsFirst: Rule = (a, b) => restartsOf(b) - restartsOf(a);
const newerFirst: Rule = (a, b) => createdAt(b) - createdAt(a);
const readyLaterFirst: Rule = (a, b) => (readySince(b) ?? 0) - (readySince(a) ?? 0);

/** The order in which pods are given up that are all alike. */
export function compareActive(a: Pod, b: Pod): number {
  return firstDifference(a, b, [
    ...[unassignedFirst, earlierPhaseFirst, notReadyFirst],
    ...[readyLaterFirst, moreRestartsFirst, newerFirst],
  ]);
}

/**
 * The order in which a ReplicaSet gives up pods: as above, but by what they cost, and rather those
 * whose node has more of the same kind. Ages count only by their magnitude.
 */
export function compareRanked(ranks: ReadonlyMap<Pod, number>, now: Date): Rule {
  const crowdedFirst: Rule = (a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0);
  const byMagnitude =
    (timeOf: (pod: Pod) => number): Rule =>
    (a, b) => {
      if (timeOf(a) === timeOf(b)) return 0;
      const magnitude = magnitudeOf(timeOf(a), now) - magnitudeOf(timeOf(b), now);
      return magnitude || ((a.metadata.uid ?? "") < (b.metadata.uid ?? "") ? -1 : 1);
    };
  return (a, b) =>
    firstDifference(a, b, [
      ...[unassignedFirst, earlierPhaseFirst, notReadyFirst, cheaperFirst, crowdedFirst],
      ...[byMagnitude((pod) => readySince(pod) ?? 0), moreRestartsFirst, byMagnitude(createdAt)],
    ]);
}

function firstDifference(a: Pod, b: Pod, rules: readonly Rule[]): number {
  for (const rule of rules) {
    const order = rule(a, b);
    if (order !== 0) return order;
  }
  return 0;
}

function phaseOf({ status }: Pod): number {
  return phases[status.phase ?? ""] ?? 0;
}

function deletionCost({ metadata }: Pod): number {
  const cost = Number(metadata.annotations?.["controller.kubernetes.io/pod-deletion-cost"] ?? 0);
  return Number.isSafeInteger(cost) ? cost : 0;
}

function restartsOf({ status }: Pod): number {
  return Math.max(0, ...(status.containerStatuses ?? []).map((each) => each.restartCount ?? 0));
}

function createdAt({ metadata }: Pod): number {
  return Date.parse(metadata.creationTimestamp ?? "") || 0;
}

/** The logarithm of an age. */
function magnitudeOf(time: number, now: Date): number {
  const age = (now.getTime() - time) * 1e6;
  return age > 0 ? Math.floor(Math.log2(age)) : -1;
}
