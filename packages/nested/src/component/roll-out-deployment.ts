import { remoteText } from "@rookery/http";
import { type Finding, getCondition, isFalse, isTrue, type KubeObject } from "@rookery/kube";
import type { ComponentObject } from "../component-object.ts";
import type { ComponentError } from "../errors.ts";
import { deploymentRollOut } from "../manifests/deployment-state.ts";
import type { Deployment, Pod } from "../manifests/kinds.ts";
import type { Place } from "../manifests/object-identity.ts";
import { type Component, selectorLabels, workloadName } from "../names.ts";
import { deployments, pods } from "../resources.ts";
import {
  lastGoodRevision,
  revisionAnnotations,
  runningRevisionName,
  withAnnotations,
} from "./annotations.ts";
import { applyObjects } from "./apply-objects.ts";
import { chooseRevision } from "./choose-revision.ts";
import { failureCause } from "./failure-cause.ts";
import { finalObjects } from "./final-objects.ts";
import type { Report } from "./report.ts";
import { type Revision, revisionName } from "./revision.ts";
import { recordFailure, reportRollOut, rolledBack } from "./roll-out.ts";
import type { ComponentScope } from "./scope.ts";
import { deploymentReadiness, replicasOf } from "./serving.ts";

export interface DeploymentPlan extends Place {
  readonly component: Component;
  readonly desired: Revision;
  /** Why a revision may not run yet, after one of a version that was good. */
  gate(revision: Revision, from: string | undefined): ComponentError | undefined;
  /** The objects of a revision; patches are not applied yet. */
  render(revision: Revision): readonly KubeObject[];
}

/** Reads the Deployment of a component from the cache. */
export function findDeployment(
  component: Component,
  { cluster, namespace }: Place,
  { find }: Pick<ComponentScope, "find">,
): Promise<Deployment | undefined> {
  return find<Deployment>(deployments, { namespace, name: workloadName(cluster, component) });
}

/** Rolls a Deployment out to the desired revision, or back to the last good one. */
export async function rollOutDeployment<T extends ComponentObject>(
  object: T,
  plan: DeploymentPlan,
  scope: ComponentScope<T>,
): Promise<Report> {
  const live = await findDeployment(plan.component, plan, scope);
  const choice = chooseRevision(
    plan.desired,
    live && runningOf(live),
    object.status?.failedRevision,
  );
  const findCause = () => causeOf(live, plan, scope);
  const failedRevisionCause = await recordFailure(object, choice, { ...scope, findCause });
  const { lastGood, failed } = choice;
  const problem = gateOf(plan, choice.revision, lastGood);
  if (problem && !lastGood) throw problem;
  const revision = problem && lastGood ? lastGood : choice.revision;
  const final = { revision, rendered: plan.render(revision) };
  const rendered = finalObjects(object, final, scope.allowances).map((one) =>
    one.kind === "Deployment" ? withAnnotations(one, revisionAnnotations(revision, lastGood)) : one,
  );
  const applied = await applyObjects(object, rendered, scope);
  const running = live && runningRevisionName(live);
  if (revision === plan.desired) reportRollOut(object, { running, revision }, scope);
  const deployment = applied.find(({ kind }) => kind === "Deployment") as Deployment;
  return {
    ready: deploymentReadiness(deployment),
    upToDate: problem
      ? isFalse(problem.reason, problem.message)
      : failed
        ? rolledBack({ desired: plan.desired, running: revision, cause: failedRevisionCause })
        : progressOf(deployment, revision),
    status: {
      ...replicasOf(deployment),
      ...(lastGood && { version: lastGood.version }),
      failedRevision: failed,
      failedRevisionCause,
    },
  };
}

function runningOf(live: Deployment) {
  return {
    name: runningRevisionName(live),
    rollOut: deploymentRollOut(live),
    lastGood: lastGoodRevision(live),
  };
}

/** Only a change of version has to wait for other components. */
function gateOf(plan: DeploymentPlan, revision: Revision, lastGood: Revision | undefined) {
  if (revision.version === lastGood?.version) return undefined;
  return plan.gate(revision, lastGood?.version);
}

/** Where no pod could be made, its ReplicaSet knows why: a quota, or a webhook. */
async function causeOf(
  live: Deployment | undefined,
  { component, cluster, namespace }: DeploymentPlan,
  { list }: Pick<ComponentScope, "list">,
): Promise<string | undefined> {
  const found = await list<Pod>(pods, namespace, selectorLabels(cluster, component));
  const refused = getCondition(live?.status?.conditions, "ReplicaFailure");
  const isRefused = refused?.status === "True" && refused.message;
  return isRefused ? remoteText(refused.message) : failureCause(found);
}

function progressOf(deployment: Deployment, revision: Revision): Finding {
  const isTold = runningRevisionName(deployment) === revisionName(revision);
  const rollOut = isTold ? deploymentRollOut(deployment) : "progressing";
  const { updatedReplicas = 0 } = deployment.status ?? {};
  if (rollOut === "complete" || deployment.spec?.replicas === 0) return isTrue("UpToDate");
  if (rollOut === "stalled") {
    return isFalse("RollOutStalled", "the pods do not become ready, see their status and logs");
  }
  const { replicas = 1 } = deployment.spec ?? {};
  const made = `${updatedReplicas} of ${replicas} pods are made anew`;
  return isFalse("RollingOut", `${made}; they have to become ready before others go`);
}
