import type { NestedControlPlane } from "@rookery/api";
import { isPaused, type OwnerCluster, paused } from "@rookery/cluster-api";
import { formatObjectKey, withConditions } from "@rookery/kube";
import {
  done,
  isBeingDeleted,
  type Request,
  type Result,
  requeueAfter,
  withFinalizer,
} from "@rookery/runtime";
import { ControlPlaneError } from "../errors.ts";
import type { Components } from "./component.ts";
import { controlPlaneFinalizer } from "./finalizer.ts";
import { type Finding, findingOf, not, well } from "./findings.ts";
import { type FoundComponents, findComponents, ownComponents } from "./phases/find-components.ts";
import { initialize } from "./phases/initialize.ts";
import { removeControlPlane } from "./phases/remove-control-plane.ts";
import { secure } from "./phases/secure.ts";
import { endpointOf, secondsUntil } from "./policies.ts";
import { reported } from "./report.ts";
import type { ControlPlaneDependencies, ControlPlaneScope } from "./scope.ts";

/** A tenant that answers but does not take its configuration yet is asked again after this time. */
const uploadRetrySeconds = 0.25;

/** Brings what a NestedControlPlane stands for to what it says. */
export async function reconcileControlPlane(
  request: Request,
  dependencies: ControlPlaneDependencies,
  signal: AbortSignal,
): Promise<Result> {
  const controlPlane = await dependencies.getControlPlane(request);
  if (!controlPlane) return forget(request, dependencies);
  const owner = await dependencies.getOwner(controlPlane);
  if (isPaused(owner, controlPlane)) return pause(controlPlane, dependencies);
  if (isBeingDeleted(controlPlane)) return removeControlPlane(controlPlane, dependencies);
  if (!owner) return wait(controlPlane, dependencies);
  const held = withFinalizer(controlPlane, controlPlaneFinalizer);
  const committed = await dependencies.commit(controlPlane, held);
  return advance(scopeOf(committed, owner), dependencies, signal);
}

/** Looks for components, certificates and endpoint at once: none of them waits for another. */
async function advance(
  scope: ControlPlaneScope,
  dependencies: ControlPlaneDependencies,
  signal: AbortSignal,
): Promise<Result> {
  const { controlPlane } = scope;
  const found = await findComponents(scope, dependencies);
  const { components } = found;
  const work = [own(found, scope, dependencies), secure(scope, components, dependencies)] as const;
  // Each to its end, also where the other fails: what went on beside the next reconcile would be done twice.
  await Promise.allSettled(work);
  const [owned, secured] = await Promise.all(work);
  const { finding, tenant } = await initialize(scope, components.apiserver, {
    ...dependencies,
    signal,
  });
  const findings = {
    ComponentsFound: owned,
    CertificatesAvailable: secured.certificates,
    AuthoritiesCurrent: secured.authorities,
    EndpointAvailable: endpointFinding(controlPlane, components, dependencies),
    KubeconfigAvailable: secured.kubeconfig,
    UserKubeconfigAvailable: secured.userKubeconfig,
    Initialized: finding,
  };
  const report = { components, tenant, findings };
  await dependencies.commit(controlPlane, reported(controlPlane, report, dependencies.clock));
  if (finding.reason === "UploadFailed") return requeueAfter(uploadRetrySeconds);
  return requeueAfter(secondsUntil(secured.until, dependencies.clock()));
}

async function own(
  { components, problem }: FoundComponents,
  scope: ControlPlaneScope,
  dependencies: ControlPlaneDependencies,
): Promise<Finding> {
  try {
    await ownComponents(components, scope, dependencies);
    return problem ? findingOf(problem) : well("Found");
  } catch (error) {
    if (error instanceof ControlPlaneError) return findingOf(error);
    throw error;
  }
}

function endpointFinding(
  controlPlane: NestedControlPlane,
  { apiserver: apiServer }: Components,
  { allowedHosts }: Pick<ControlPlaneDependencies, "allowedHosts">,
): Finding {
  const endpoint = endpointOf({ controlPlane, apiServer, allowedHosts });
  return "status" in endpoint ? endpoint : well("Available");
}

function scopeOf(controlPlane: NestedControlPlane, owner: OwnerCluster): ControlPlaneScope {
  const { name = "", namespace = "" } = controlPlane.metadata;
  const key = formatObjectKey({ namespace, name });
  return { controlPlane, owner, cluster: owner.metadata.name ?? "", namespace, key };
}

async function forget(request: Request, dependencies: ControlPlaneDependencies): Promise<Result> {
  const key = formatObjectKey(request);
  dependencies.tenants.forget(key);
  dependencies.memo.forget(key);
  dependencies.expiry.forget(key);
  dependencies.expiry.forget(key);
  return done;
}

async function wait(
  controlPlane: NestedControlPlane,
  { commit, clock }: ControlPlaneDependencies,
): Promise<Result> {
  const waiting = not(
    "WaitingForOwner",
    "no Cluster owns this object and names it as its control plane yet",
  );
  const statements = ["ComponentsFound", "Ready"].map((type) => ({ type, ...waiting }));
  await commit(controlPlane, withConditions(controlPlane, statements, clock));
  return done;
}

async function pause(
  controlPlane: NestedControlPlane,
  { commit, clock }: ControlPlaneDependencies,
): Promise<Result> {
  await commit(controlPlane, withConditions(controlPlane, [paused], clock));
  return done;
}
