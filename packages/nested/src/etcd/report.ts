import type { NestedEtcd } from "@rookery/api";
import { type Finding, isFalse, isTrue } from "@rookery/kube";
import type { Report } from "../component/report.ts";
import { type Revision, revisionName, runningRevisionName } from "../component/revision.ts";
import type { RevisionChoice } from "../component/roll-out.ts";
import { rolledBack } from "../component/roll-out.ts";
import type { ComponentError } from "../errors.ts";
import type { Place } from "../manifests/deployment.ts";
import type { StatefulSet } from "../manifests/kinds.ts";
import { etcdClientPort, etcdMemberHost } from "../names.ts";
import { quorumOf } from "./membership.ts";
import type { EtcdObservation } from "./observe.ts";
import type { StepTaken } from "./phases/take-step.ts";
import { lostQuorum } from "./plan.ts";
import { isReady } from "./roll-out.ts";
import { storageProblem } from "./storage.ts";

export interface EtcdOutcome extends Place, StepTaken {
  readonly etcd: NestedEtcd;
  readonly observed: EtcdObservation;
  readonly statefulSet: StatefulSet;
  readonly choice: RevisionChoice;
  /** Why the desired revision failed. */
  readonly failedRevisionCause: string | undefined;
  readonly desired: Revision;
  readonly rollOut: "progressing" | "complete" | "stalled";
  readonly problem: ComponentError | undefined;
}

/** Seconds until the next reconcile of a change that causes no events. */
const whileBusy = 2;
const whileStuck = 30;

export function etcdReport(outcome: EtcdOutcome): Report {
  const ready = etcdReadiness(outcome.observed);
  const upToDate = progressOf(outcome);
  const { choice, observed } = outcome;
  const isStuck = [ready, upToDate].some(({ reason }) => stuck.includes(reason));
  const isSettled = ready.status === "True" && upToDate.status === "True";
  return {
    ready,
    upToDate,
    status: {
      replicas: observed.pods.size,
      readyReplicas: readyPods(observed),
      ...(choice.lastGood && { version: choice.lastGood.version }),
      ...addressesOf(outcome),
      failedRevision: choice.failed,
      failedRevisionCause: outcome.failedRevisionCause,
    },
    ...(!isSettled && { retryAfter: isStuck ? whileStuck : whileBusy }),
  };
}

const stuck = ["RolledBack", "RollOutStalled", "QuorumLost", "VersionSkew", "StorageUnchangeable"];

/** etcd serves if a quorum of its members is ready. */
export function etcdReadiness(observed: EtcdObservation): Finding {
  const lost = lostQuorum(observed);
  if (lost) return isFalse("QuorumLost", lost);
  if (!observed.record.isBootstrapped && !observed.seats) {
    return isFalse("WaitingForPods", "the first member has not started yet");
  }
  const voters = observed.seats?.filter(({ member }) => !member.isLearner).length;
  const needed = quorumOf(voters ?? observed.statefulSet?.spec?.replicas ?? 1);
  const ready = readyPods(observed);
  if (ready >= needed) return isTrue("Ready");
  return isFalse("WaitingForPods", `${ready} members are ready, and ${needed} are needed`);
}

function readyPods({ pods }: EtcdObservation): number {
  return [...pods.values()].filter(isReady).length;
}

function progressOf(outcome: EtcdOutcome): Finding {
  const { choice, problem, rollOut, step, desired, statefulSet } = outcome;
  if (problem) return isFalse(problem.reason, problem.message);
  if (choice.failed) {
    const { revision: running } = choice;
    return rolledBack({ desired, running, cause: outcome.failedRevisionCause });
  }
  if (rollOut === "stalled") return isFalse("RollOutStalled", stalledMessage(outcome));
  if (step.kind === "wait") return isFalse("ChangingMembers", step.why);
  if (step.kind !== "none") {
    return isFalse("ChangingMembers", "members are being added, replaced or removed");
  }
  if (!outcome.seats) return isFalse("RollingOut", "no quorum of the members answers yet");
  const isApplied = runningRevisionName(statefulSet) === revisionName(choice.revision);
  if (isApplied && rollOut === "complete") return volumesOf(outcome);
  return isFalse("RollingOut", "members are updated to the spec, one after another");
}

function volumesOf({ etcd, statefulSet }: EtcdOutcome): Finding {
  const why = storageProblem(etcd.spec, statefulSet);
  return why ? isFalse("StorageUnchangeable", why) : isTrue("UpToDate");
}

function stalledMessage({ choice: { lastGood }, desired }: EtcdOutcome): string {
  const see = "a member does not become ready, see its pod's status and logs";
  if (!lastGood || lastGood.version === desired.version) return see;
  return `${see}; there is no way back from ${desired.version} to ${lastGood.version}: its data may be in the newer form already`;
}

/** Published once all members exist, so that clients are not updated for each member. */
function addressesOf({ etcd, step, seats = [], observed, ...place }: EtcdOutcome) {
  if (isNew(etcd)) return newAddresses(etcd, place);
  if (step.kind !== "none" || seats.length !== etcd.spec.replicas) return {};
  const addresses = seats.map(({ ordinal }) => {
    const ip = observed.pods.get(ordinal)?.status?.podIP;
    const hostname = etcdMemberHost(place.cluster, place.namespace, ordinal);
    return { ...(ip && { ip }), hostname, port: etcdClientPort };
  });
  return { addresses };
}

const isNew = ({ spec, status }: NestedEtcd) =>
  spec.replicas === 1 && status?.addresses === undefined;

/** Publishes the first member of a new etcd before its start, so that clients can start, too. */
export function newAddresses(etcd: NestedEtcd, { cluster, namespace }: Place) {
  if (!isNew(etcd)) return {};
  const hostname = etcdMemberHost(cluster, namespace, 0);
  return { addresses: [{ hostname, port: etcdClientPort }] };
}
