import type { Clock } from "@rookery/kube";
import { parseTime } from "@rookery/kube";
import { type RunningRevision, runningRevision } from "../component/roll-out.ts";
import type { Place, RollOut } from "../manifests/deployment.ts";
import type { StatefulSet } from "../manifests/kinds.ts";
import { bootstrapMembership, existingMembership } from "./initial-cluster.ts";
import { deadlineAnnotation, defaultDeadline } from "./manifests.ts";
import { quorumOf, type Seat } from "./membership.ts";
import type { EtcdObservation } from "./observe.ts";
import { isReady, isUpdated, nextPartition } from "./roll-out.ts";

/** The number of pods: one for each member, and one for a joining member. */
export function replicasFor(
  observed: EtcdObservation,
  seats: readonly Seat[] | undefined,
  desired: number,
) {
  const { statefulSet, claims } = observed;
  const live = statefulSet?.spec?.replicas ?? Math.max(1, contiguous(claims));
  if (!seats || seats.length === 0) return live;
  const highest = Math.max(...seats.map(({ ordinal }) => ordinal));
  return Math.max(highest + 1, Math.min(live, desired));
}

function contiguous(ordinals: { has(ordinal: number): boolean }): number {
  let count = 0;
  while (ordinals.has(count)) count++;
  return count;
}

/** The data that members read at their start, and the volumes of joined members. */
export function membershipFor(
  place: Place,
  { record, claims, pods, healthy }: EtcdObservation,
  seats: readonly Seat[] | undefined,
): Readonly<Record<string, string>> {
  if (!record.isBootstrapped && !seats) return bootstrapMembership(place);
  if (!seats) return record.data ?? existingMembership(place, [], {});
  const joined = seats.flatMap(({ ordinal, member }) => {
    const uid = record.volumes[ordinal] ?? claims.get(ordinal)?.metadata.uid;
    // A healthy member has its volume. Learners are never ready.
    const isThere = member.name !== "" && pods.has(ordinal) && healthy.has(ordinal);
    return uid && (isThere || record.volumes[ordinal]) ? [[String(ordinal), uid] as const] : [];
  });
  return existingMembership(place, seats, Object.fromEntries(joined));
}

/** The current partition of the StatefulSet: see `nextPartition`. */
export function partitionFor(observed: EtcdObservation, statefulSet: StatefulSet): number {
  const { spec, status, metadata } = statefulSet;
  const now = spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) return now;
  const ordinals = Array.from({ length: spec?.replicas ?? 1 }, (_, ordinal) => ordinal);
  const rolled = ordinals.map((ordinal) => {
    const pod = observed.pods.get(ordinal);
    const isHealthy = pod !== undefined && isReady(pod) && observed.healthy.has(ordinal);
    return { ordinal, isHealthy, isUpdated: pod === undefined || isUpdated(pod, statefulSet) };
  });
  return nextPartition(rolled, now);
}

export function runningOf(observed: EtcdObservation, clock: Clock): RunningRevision | undefined {
  const { statefulSet } = observed;
  return statefulSet && runningRevision(statefulSet, rollOutOf(observed, statefulSet, clock));
}

/** The progress of a StatefulSet, which may be newer than the observation. */
export function rollOutOf(
  observed: EtcdObservation,
  statefulSet: StatefulSet,
  clock: Clock,
): RollOut {
  const { metadata, spec, status } = statefulSet;
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) return "progressing";
  const all = [...observed.pods.values()];
  const good = all.filter((pod) => isUpdated(pod, statefulSet) && isReady(pod));
  if (good.length === (spec?.replicas ?? 1) && all.length === good.length) return "complete";
  const deadline = Number(metadata.annotations?.[deadlineAnnotation] ?? defaultDeadline) * 1000;
  const isLate = all.some((pod) => {
    if (!isUpdated(pod, statefulSet) || isReady(pod) || !pod.metadata.creationTimestamp)
      return false;
    return clock().getTime() - parseTime(pod.metadata.creationTimestamp).getTime() > deadline;
  });
  return isLate ? "stalled" : "progressing";
}

/** Why a quorum of the members has lost its volumes; undefined otherwise. */
export function lostQuorum({ record, claims }: EtcdObservation): string | undefined {
  const joined = Object.entries(record.volumes);
  const lost = joined.filter(([ordinal, uid]) => claims.get(Number(ordinal))?.metadata.uid !== uid);
  if (joined.length === 0 || joined.length - lost.length >= quorumOf(joined.length))
    return undefined;
  return `the volumes of ${lost.length} of ${joined.length} members are gone, and with them the data; restore them, or delete the control plane`;
}
