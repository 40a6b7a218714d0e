import type { NestedEtcd } from "@rookery/api";
import { objectKeyOf } from "@rookery/kube";
import { EtcdRequestError } from "../../errors.ts";
import type { Place } from "../../manifests/deployment.ts";
import type { Pod } from "../../manifests/kinds.ts";
import { mostEtcdMembers } from "../../names.ts";
import { persistentVolumeClaims, pods } from "../../resources.ts";
import { peerUrl, seatsOf } from "../initial-cluster.ts";
import { memberStart } from "../member-pod.ts";
import { type MembershipStep, nextStep, type Seat } from "../membership.ts";
import { type Connection, type EtcdObservation, listMembers } from "../observe.ts";
import type { EtcdScope } from "../scope.ts";

export interface StepOptions extends Place {
  readonly desired: number;
  readonly connections: readonly Connection[];
}

export interface StepTaken {
  readonly seats: readonly Seat[] | undefined;
  readonly step: MembershipStep;
}

type Performer = Pick<EtcdScope, "read" | "remove" | "recorder" | "clock">;

/** Takes the next step towards the desired members. */
export async function takeStep(
  etcd: NestedEtcd,
  observed: EtcdObservation,
  options: StepOptions & Performer,
): Promise<StepTaken> {
  const { seats } = observed;
  if (!seats) return { seats, step: { kind: "none" } };
  const step = nextStep({
    desired: options.desired,
    seats,
    site: (ordinal) => ({
      claim: observed.claims.get(ordinal)?.metadata.uid,
      joinedWith: observed.record.volumes[ordinal],
      hasPod: observed.pods.has(ordinal),
      isHealthy: observed.healthy.has(ordinal),
      ...memberStart(observed.pods.get(ordinal), options.clock),
    }),
  });
  try {
    if (!(await perform(step, observed, options))) return { seats, step };
  } catch (error) {
    if (!(error instanceof EtcdRequestError)) throw error;
    // A request that a member rejects is retried later.
    return { seats, step: { kind: "wait", why: error.message } };
  }
  const note = describe(step);
  if (note) options.recorder.event(etcd, { type: "Normal", reason: "MembersChanged", note });
  const members = await listMembers(options.connections);
  return { seats: members ? seatsOf(options, members, mostEtcdMembers) : seats, step };
}

/** Returns whether the members may have changed. */
async function perform(
  step: MembershipStep,
  observed: EtcdObservation,
  options: StepOptions & Performer,
): Promise<boolean> {
  const { connections, remove, ...place } = options;
  const gateway = votingConnection(connections, observed)?.gateway;
  if (!gateway) return false;
  switch (step.kind) {
    case "none":
    case "wait":
      return false;
    case "add":
      await gateway.addLearner(peerUrl(place, step.ordinal));
      return true;
    case "promote":
      return gateway.promote(step.seat.member.id);
    case "remove":
      await gateway.remove(step.seat.member.id);
      return true;
    case "discard":
      if (!(await isStuck(step.seat.ordinal, observed, options))) return false;
      await gateway.remove(step.seat.member.id);
      await gateway.addLearner(peerUrl(place, step.seat.ordinal));
      // Last, so that the next pod is a member already.
      await wipe(step.seat.ordinal, observed, remove);
      return true;
    case "restart": {
      const pod = observed.pods.get(step.ordinal);
      if (!pod || !(await isStuck(step.ordinal, observed, options))) return false;
      await remove(pods, pod);
      return true;
    }
    case "wipe":
      await wipe(step.ordinal, observed, remove);
      return false;
  }
}

/** Learners do not answer requests about members. */
function votingConnection(
  connections: readonly Connection[],
  { healthy, seats = [] }: EtcdObservation,
) {
  const learners = seats.filter(({ member }) => member.isLearner).map(({ ordinal }) => ordinal);
  return connections.find(({ ordinal }) => healthy.has(ordinal) && !learners.includes(ordinal));
}

/** Reads the pod again: in a stale cache it may be replaced or started, and its member joined. */
async function isStuck(
  ordinal: number,
  { pods: found }: EtcdObservation,
  { read, clock }: Pick<Performer, "read" | "clock">,
): Promise<boolean> {
  const pod = found.get(ordinal);
  const live = pod && (await read<Pod>(pods, objectKeyOf(pod)));
  if (!live || live.metadata.uid !== pod.metadata.uid) return false;
  const { isFailing, isLate } = memberStart(live, clock);
  return isFailing || isLate;
}

async function wipe(
  ordinal: number,
  { claims, pods: found }: EtcdObservation,
  remove: EtcdScope["remove"],
): Promise<void> {
  const [claim, pod] = [claims.get(ordinal), found.get(ordinal)];
  if (claim && !claim.metadata.deletionTimestamp) await remove(persistentVolumeClaims, claim);
  if (pod && !pod.metadata.deletionTimestamp) await remove(pods, pod);
}

function describe(step: MembershipStep): string | undefined {
  switch (step.kind) {
    case "add":
      return `Added member ${step.ordinal}`;
    case "promote":
      return `Member ${step.seat.member.name} has caught up and votes`;
    case "discard":
      return `Replaced member ${step.seat.ordinal}, with another volume: ${step.why}`;
    case "restart":
      return `Deleted the pod of member ${step.ordinal}, which another follows: ${step.why}`;
    case "remove":
      return `Removed member ${step.seat.member.name || step.seat.ordinal}: ${step.why}`;
    default:
      return undefined;
  }
}
