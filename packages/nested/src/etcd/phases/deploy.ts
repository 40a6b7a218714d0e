import type { NestedEtcd } from "@rookery/api";
import { applyObjects } from "../../component/apply-objects.ts";
import { failureCause } from "../../component/failure-cause.ts";
import type { Parent } from "../../component/parent.ts";
import type { Report } from "../../component/report.ts";
import { type Revision, revisionOf } from "../../component/revision.ts";
import {
  chooseRevision,
  type RevisionChoice,
  type RunningRevision,
  recordFailure,
  reportRollOut,
} from "../../component/roll-out.ts";
import { changeProblem, isSameMinor } from "../../component/skew.ts";
import { ComponentError } from "../../errors.ts";
import type { StatefulSet } from "../../manifests/kinds.ts";
import type { Companions } from "../../manifests/pod-template.ts";
import { componentLabel, etcdClaimName } from "../../names.ts";
import { persistentVolumeClaims } from "../../resources.ts";
import { type Connection, type EtcdObservation, observeEtcd, podsOf } from "../observe.ts";
import { rollOutOf, runningOf } from "../plan.ts";
import { renderEtcd } from "../render.ts";
import { etcdReport } from "../report.ts";
import { isUpdated } from "../roll-out.ts";
import type { EtcdScope } from "../scope.ts";
import { takeStep } from "./take-step.ts";

export interface EtcdPlace extends Parent {
  readonly connections: readonly Connection[];
  readonly inputs: string;
  readonly companions: Companions;
}

/** Changes members by one step, and applies the objects of an etcd. */
export async function deploy(
  etcd: NestedEtcd,
  place: EtcdPlace,
  scope: EtcdScope,
): Promise<Report> {
  const found = await podsOf(place, scope);
  const observed = await observeEtcd(place, found, { ...scope, ...place });
  const desired = revisionOf("etcd", etcd.spec);
  const running = runningOf(observed, scope.clock);
  const choice = chooseEtcdRevision(desired, running, etcd.status?.failedRevision);
  const findCause = async () => causeOf(observed);
  const failedRevisionCause = await recordFailure(etcd, choice, { ...scope, findCause });
  const { lastGood } = choice;
  const problem = versionProblem(choice);
  const revision = problem && lastGood ? lastGood : choice.revision;
  const { replicas } = etcd.spec;
  const taken = await takeStep(etcd, observed, { ...place, ...scope, desired: replicas });
  await rejectForeignClaims(place, { ...scope, observed, replicas });
  const common = { ...place, ...taken, etcd, observed };
  const objects = renderEtcd({ ...common, ...scope, revision, lastGood });
  const applied = await applyObjects(etcd, objects, scope);
  if (revision === desired) reportRollOut(etcd, { running: running?.name, revision }, scope);
  const statefulSet = applied.find(({ kind }) => kind === "StatefulSet") as StatefulSet;
  const rollOut = rollOutOf(observed, statefulSet, scope.clock);
  const outcome = { statefulSet, choice, failedRevisionCause, desired, rollOut, problem };
  return etcdReport({ ...common, ...outcome });
}

function causeOf({ statefulSet, pods: found }: EtcdObservation): string | undefined {
  const all = [...found.values()];
  return failureCause(all.filter((pod) => statefulSet && isUpdated(pod, statefulSet)));
}

/** A StatefulSet uses any claim with a matching name, also that of another owner. */
async function rejectForeignClaims(
  { cluster, namespace }: Parent,
  {
    observed,
    replicas,
    read,
  }: Pick<EtcdScope, "read"> & {
    readonly observed: EtcdObservation;
    readonly replicas: number;
  },
): Promise<void> {
  const unseen = Array.from({ length: replicas }, (_, ordinal) => ordinal).filter(
    (ordinal) => !observed.claims.has(ordinal),
  );
  for (const ordinal of unseen) {
    const name = etcdClaimName(cluster, ordinal);
    const claim = await read(persistentVolumeClaims, { namespace, name });
    if (!claim || claim.metadata.labels?.[componentLabel] === "etcd") continue;
    const why = `PersistentVolumeClaim ${name} belongs to another owner`;
    throw new ComponentError("ObjectTaken", `${why}; delete it, or give the Cluster another name`);
  }
}

/** No roll-back to an older minor: the data may have the newer format already. */
function chooseEtcdRevision(
  desired: Revision,
  running: RunningRevision | undefined,
  failed: string | undefined,
): RevisionChoice {
  const choice = chooseRevision(desired, running, failed);
  const { lastGood } = choice;
  const isOneWay = lastGood !== undefined && !isSameMinor(lastGood.version, desired.version);
  return isOneWay ? { revision: desired, lastGood, failed: undefined } : choice;
}

function versionProblem({ revision, lastGood }: RevisionChoice): ComponentError | undefined {
  const problem = lastGood && changeProblem(lastGood.version, revision.version);
  return problem ? new ComponentError("VersionSkew", problem) : undefined;
}
