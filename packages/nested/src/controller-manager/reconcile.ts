import type { NestedControllerManager } from "@rookery/api";
import { componentLifecycle } from "../component/lifecycle.ts";
import type { Parent } from "../component/parent.ts";
import { notApplicableBeside, type Report } from "../component/report.ts";
import { blockedDeployment } from "../component/roll-out-deployment.ts";
import type { ComponentScope } from "../component/scope.ts";
import { refuseClosedFields } from "../policy/closed-fields.ts";
import { deployments } from "../resources.ts";
import { deploy } from "./phases/deploy.ts";

type Scope = ComponentScope<NestedControllerManager>;

export const objectResources = [deployments];

export const controllerManagerLifecycle = componentLifecycle<NestedControllerManager, Scope>({
  finalizer: "nestedcontrollermanager.controlplane.cluster.x-k8s.io",
  component: "controller-manager",
  resources: objectResources,
  provision,
});

async function provision(
  controllerManager: NestedControllerManager,
  parent: Parent,
  scope: Scope,
): Promise<Report> {
  const { apiServer } = await scope.getSiblings(parent);
  const notApplicable = apiServer && notApplicableBeside(apiServer, controllerManager);
  if (notApplicable) return notApplicable;
  try {
    refuseClosedFields(controllerManager, scope.allowances);
    return await deploy(controllerManager, parent, scope);
  } catch (error) {
    return blockedDeployment(error, { ...parent, component: "controller-manager" }, scope);
  }
}
