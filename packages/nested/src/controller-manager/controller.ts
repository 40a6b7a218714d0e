import type { NestedControllerManager } from "@rookery/api";
import type { Controller } from "@rookery/runtime";
import {
  type ComponentControllerParts,
  createComponentController,
} from "../component/controller.ts";
import type { ComponentScope } from "../component/scope.ts";
import { controllerManagers } from "../resources.ts";
import { controllerManagerLifecycle, objectResources } from "./reconcile.ts";
import { controllerManagerSecrets } from "./secrets.ts";

export function createControllerManagerController(
  parts: ComponentControllerParts,
  concurrency: number,
): Controller {
  return createComponentController<
    NestedControllerManager,
    ComponentScope<NestedControllerManager>
  >(
    {
      component: "controller-manager",
      resource: controllerManagers,
      objectResources,
      followsPods: false,
      secrets: (cluster) => Object.keys(controllerManagerSecrets(cluster).keys),
      lifecycle: controllerManagerLifecycle,
      scopeOf: (shared) => shared,
    },
    parts,
    concurrency,
  );
}
