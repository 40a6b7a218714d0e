import type { NestedAPIServer } from "@rookery/api";
import { componentLifecycle } from "../component/lifecycle.ts";
import type { Parent } from "../component/parent.ts";
import { deploymentReadiness, type Report } from "../component/report.ts";
import { blockedDeployment, findDeployment } from "../component/roll-out-deployment.ts";
import { closedFields, refuseClosedFields } from "../policy/closed-fields.ts";
import {
  deployments,
  persistentVolumeClaims,
  podDisruptionBudgets,
  services,
} from "../resources.ts";
import { deploy } from "./phases/deploy.ts";
import { type Exposure, ensureEndpoint, keepEndpoint } from "./phases/expose.ts";
import { probePods } from "./phases/probe-pods.ts";
import type { ApiServerScope } from "./scope.ts";

export const objectResources = [
  deployments,
  podDisruptionBudgets,
  services,
  persistentVolumeClaims,
];

export const apiServerLifecycle = componentLifecycle<NestedAPIServer, ApiServerScope>({
  finalizer: "nestedapiserver.controlplane.cluster.x-k8s.io",
  component: "apiserver",
  resources: objectResources,
  provision,
});

async function provision(
  apiServer: NestedAPIServer,
  parent: Parent,
  scope: ApiServerScope,
): Promise<Report> {
  let exposure: Exposure = {};
  try {
    const isClosed = closedFields(apiServer, scope.allowances).length > 0;
    const expose = isClosed ? keepEndpoint : ensureEndpoint;
    exposure = await expose(apiServer, parent, scope);
    refuseClosedFields(apiServer, scope.allowances);
    await probeTenant(parent, scope);
    const { profile } = apiServer.spec;
    const deployed = await deploy(apiServer, parent, scope);
    const report = await probePods(apiServer, deployed, { ...scope, parent });
    return { ...report, ...exposure, status: { ...report.status, ...exposure.status, profile } };
  } catch (error) {
    const report = await blockedDeployment(error, { ...parent, component: "apiserver" }, scope);
    return { ...report, ...exposure, status: { ...report.status, ...exposure.status } };
  }
}

/** Probes the tenant at once, before the status is written, if pods are ready. */
async function probeTenant(parent: Parent, scope: ApiServerScope): Promise<void> {
  const live = await findDeployment("apiserver", parent, scope);
  if (live && deploymentReadiness(live).status === "True") scope.serves(parent.controlPlane);
}
