import type { NestedControllerManager } from "@rookery/api";
import type { Home } from "../component/home.ts";
import { componentLifecycle } from "../component/lifecycle.ts";
import { notApplicableBeside } from "../component/not-applicable.ts";
import { removeObjects } from "../component/remove-objects.ts";
import type { Report } from "../component/report.ts";
import { findDeployment } from "../component/roll-out-deployment.ts";
import type { ComponentScope } from "../component/scope.ts";
import { blockedReport, deploymentReadiness, replicasOf } from "../component/serving.ts";
import { refuseClosedFields } from "../policy/closed-fields.ts";
import { deployments } from "../resources.ts";
import { deploy } from "./phases/deploy.ts";

type Scope = ComponentScope<NestedControllerManager>;

/** The resources of the objects of a controller manager, besides pods. */
export const objectResources = [deployments];

/** Provisions what a NestedControllerManager stands for. */
export const controllerManagerLifecycle = componentLifecycle<NestedControllerManager, Scope>({
  finalizer: "nestedcontrollermanager.controlplane.cluster.x-k8s.io",
  provision,
  remove: (controllerManager, cluster, scope) => {
    const component = "controller-manager";
    return removeObjects(
      controllerManager,
      { component, cluster, resources: objectResources },
      scope,
    );
  },
});

async function provision(
  controllerManager: NestedControllerManager,
  home: Home,
  scope: Scope,
): Promise<Report> {
  const { apiServer } = await scope.getSiblings(home);
  const notApplicable = apiServer && notApplicableBeside(apiServer, controllerManager);
  if (notApplicable) return notApplicable;
  try {
    refuseClosedFields(controllerManager, scope.allowances);
    return await deploy(controllerManager, home, scope);
  } catch (error) {
    const live = await findDeployment("controller-manager", home, scope);
    const report = blockedReport(error, live && deploymentReadiness(live));
    return { ...report, ...(live && { status: replicasOf(live) }) };
  }
}
