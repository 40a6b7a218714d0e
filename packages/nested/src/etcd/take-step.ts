import type { NestedEtcd } from "@rookery/api";
import { EtcdRequestError } from "../errors.ts";
import type { Place } from "../manifests/object-identity.ts";
import { mostEtcdMembers } from "../names.ts";
import { persistentVolumeClaims, pods } from "../resources.ts";
import type { EtcdDependencies } from "./dependencies.ts";
import { peerUrl, seatsOf } from "./initial-cluster.ts";
import { type MembershipStep, nextStep, type Seat } from "./membership.ts";
import { askMembers, type Connection, type EtcdObservation } from "./observe.ts";

export interface StepOptions extends Place {
  readonly desired: number;
  readonly connections: readonly Connection[];
}

/** Members after a step, and what there still is to do. */
export interface StepTaken {
  readonly seats: readonly Seat[] | undefined;
  readonly step: MembershipStep;
}

type Performer = Pick<EtcdDependencies, "remove" | "recorder">;

/** Takes the next step towards the members that there should be, if there is one. */
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
    }),
  });
  const done = await attempt(step, observed, options);
  if (done !== true) return { seats, step: done || step };
  const note = describe(step);
  if (note) options.recorder.event(etcd, { type: "Normal", reason: "MembersChanged", note });
  const members = await askMembers(options.connections);
  return { seats: members ? seatsOf(options, members, mostEtcdMembers) : seats, step };
}

/** Whether members may be others now; a member that refuses is asked again later. */
async function attempt(
  step: MembershipStep,
  observed: EtcdObservation,
  options: StepOptions & Performer,
): Promise<boolean | MembershipStep> {
  try {
    return await perform(step, observed, options);
  } catch (error) {
    if (!(error instanceof EtcdRequestError)) throw error;
    return { kind: "wait", why: error.message };
  }
}

async function perform(
  step: MembershipStep,
  observed: EtcdObservation,
  { connections, remove, ...place }: StepOptions & Performer,
): Promise<boolean> {
  const gateway = speakerOf(connections, observed.healthy)?.gateway;
  if (!gateway) return false;
  switch (step.kind) {
    case "none":
      return false;
    case "wait":
      await restartJoining(observed, remove);
      return false;
    case "add":
      await gateway.addLearner(peerUrl(place, step.ordinal));
      return true;
    case "promote":
      return gateway.promote(step.seat.member.id);
    case "remove":
      await gateway.remove(step.seat.member.id);
      return true;
    case "wipe":
      await wipe(step.ordinal, observed, remove);
      return false;
  }
}

function speakerOf(connections: readonly Connection[], healthy: ReadonlySet<number>) {
  return connections.find(({ ordinal }) => healthy.has(ordinal));
}

/** A pod that has failed again and again is not started for minutes, although it could join now. */
async function restartJoining(
  { seats = [], pods: found }: EtcdObservation,
  remove: EtcdDependencies["remove"],
): Promise<void> {
  const joining = seats.find(({ member }) => member.name === "");
  const pod = joining && found.get(joining.ordinal);
  const [container] = pod?.status?.containerStatuses ?? [];
  const isWaiting = container?.state?.waiting?.reason === "CrashLoopBackOff";
  if (pod && isWaiting && (container?.restartCount ?? 0) >= 3) await remove(pods, pod);
}

async function wipe(
  ordinal: number,
  { claims, pods: found }: EtcdObservation,
  remove: EtcdDependencies["remove"],
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
    case "remove":
      return `Removed member ${step.seat.member.name || step.seat.ordinal}: ${step.why}`;
    default:
      return undefined;
  }
}
