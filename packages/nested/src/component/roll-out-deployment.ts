import { remoteText } from "@rookery/http";
import { type Finding, getCondition, isFalse, isTrue, type KubeObject } from "@rookery/kube";
import type { ComponentObject } from "../component-object.ts";
import type { ComponentError } from "../errors.ts";
import type { Place } from "../manifests/deployment.ts";
import { deploymentRollOut } from "../manifests/deployment.ts";
import type { Deployment, Pod } from "../manifests/kinds.ts";
import { type Component, selectorLabels, workloadName } from "../names.ts";
import { deployments, pods } from "../resources.ts";
import { applyObjects } from "./apply-objects.ts";
import { failureCause } from "./failure-cause.ts";
import { finalObjects } from "./final-objects.ts";
import { blockedReport, deploymentReadiness, type Report, replicasOf } from "./report.ts";
import {
  type RenderOptions,
  type Revision,
  revisionAnnotations,
  revisionName,
  runningRevisionName,
  withAnnotations,
} from "./revision.ts";
import {
  chooseRevision,
  recordFailure,
  reportRollOut,
  rolledBack,
  runningRevision,
} from "./roll-out.ts";
import type { ComponentScope } from "./scope.ts";
import type { SecretInputs } from "./secret-inputs.ts";

export interface DeploymentPlan extends Place {
  readonly component: Component;
  readonly desired: Revision;
  readonly secrets: SecretInputs;
  /** Why a revision may not run yet, after the version `from`. */
  gate(revision: Revision, from: string | undefined): ComponentError | undefined;
  /** The default image of a version. */
  imageOf(version: string): string;
  /** The objects of a revision, without patches. */
  render(options: RenderOptions): readonly KubeObject[];
}

export function findDeployment(
  component: Component,
  { cluster, namespace }: Place,
  { find }: Pick<ComponentScope, "find">,
): Promise<Deployment | undefined> {
  return find<Deployment>(deployments, { namespace, name: workloadName(cluster, component) });
}

/** The report of a component whose Deployment cannot be changed. Rethrows other errors. */
export async function blockedDeployment(
  error: unknown,
  plan: Pick<DeploymentPlan, "component" | keyof Place>,
  scope: Pick<ComponentScope, "find">,
): Promise<Report> {
  const live = await findDeployment(plan.component, plan, scope);
  const report = blockedReport(error, live && deploymentReadiness(live));
  return { ...report, ...(live && { status: replicasOf(live) }) };
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
    live && runningRevision(live, deploymentRollOut(live)),
    object.status?.failedRevision,
  );
  const findCause = () => causeOf(live, plan, scope);
  const failedRevisionCause = await recordFailure(object, choice, { ...scope, findCause });
  const { lastGood, failed } = choice;
  const problem = gateOf(plan, choice.revision, lastGood);
  if (problem && !lastGood) throw problem;
  const revision = problem && lastGood ? lastGood : choice.revision;
  const { cluster, namespace, secrets } = plan;
  const { inputs, companions } = secrets;
  const image = revision.image ?? plan.imageOf(revision.version);
  const { replicas } = object.spec;
  const unpatched = plan.render({
    cluster,
    namespace,
    revision,
    image,
    replicas,
    inputs,
    companions,
  });
  const final = { revision, rendered: unpatched };
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

/** Only a change of version has to wait for other components. */
function gateOf(plan: DeploymentPlan, revision: Revision, lastGood: Revision | undefined) {
  if (revision.version === lastGood?.version) return undefined;
  return plan.gate(revision, lastGood?.version);
}

/** If no pod could be created, the ReplicaSet has the cause, such as a quota or a webhook. */
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
  const isApplied = runningRevisionName(deployment) === revisionName(revision);
  const rollOut = isApplied ? deploymentRollOut(deployment) : "progressing";
  const { updatedReplicas = 0 } = deployment.status ?? {};
  if (rollOut === "complete" || deployment.spec?.replicas === 0) return isTrue("UpToDate");
  if (rollOut === "stalled") {
    return isFalse("RollOutStalled", "the pods do not become ready, see their status and logs");
  }
  const { replicas = 1 } = deployment.spec ?? {};
  const updated = `${updatedReplicas} of ${replicas} pods are updated`;
  return isFalse("RollingOut", `${updated}; they must become ready before others are deleted`);
}
