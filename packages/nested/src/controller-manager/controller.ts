import type { NestedControllerManager } from "@rookery/api";
import type { Controller } from "@rookery/runtime";
import { createComponentController } from "../component/controller.ts";
import { reconcileComponent } from "../component/reconcile.ts";
import { removeObjects } from "../component/remove-objects.ts";
import type { ComponentControllerOptions } from "../component/scope.ts";
import { reportComponentError } from "../report-error.ts";
import { controllerManagers, deployments } from "../resources.ts";
import {
  type ControllerManagerDependencies,
  controllerManagerDependencies,
} from "./dependencies.ts";
import { provisionControllerManager } from "./reconcile.ts";
import { controllerManagerSecrets } from "./secrets.ts";

const finalizer = "nestedcontrollermanager.controlplane.cluster.x-k8s.io";
const parts = [deployments];

export function createControllerManagerController(options: ComponentControllerOptions): Controller {
  const dependencies = controllerManagerDependencies(options);
  const kind = { finalizer, provision: provisionControllerManager, remove };
  return createComponentController(
    {
      component: "controller-manager",
      resource: controllerManagers,
      parts,
      followsPods: false,
      secrets: (cluster) => Object.keys(controllerManagerSecrets(cluster).keys),
      reconcile: (request, signal) => reconcileComponent(request, kind, dependencies(signal)),
      reportError: (failed) => reportComponentError(failed, dependencies(failed.signal)),
    },
    options,
  );
}

function remove(
  controllerManager: NestedControllerManager,
  cluster: string,
  dependencies: ControllerManagerDependencies,
) {
  const removal = { component: "controller-manager", cluster, resources: parts } as const;
  return removeObjects(controllerManager, removal, dependencies);
}
