import type { NestedControllerManager } from "@rookery/api";
import type { ComponentKind } from "../component/controller.ts";
import type { ComponentScope } from "../component/scope.ts";
import { controllerManagers } from "../resources.ts";
import { controllerManagerLifecycle, objectResources } from "./reconcile.ts";
import { controllerManagerSecrets } from "./secrets.ts";

export const controllerManagerKind: ComponentKind<
  NestedControllerManager,
  ComponentScope<NestedControllerManager>
> = {
  component: "controller-manager",
  resource: controllerManagers,
  objectResources,
  followsPods: false,
  secrets: [controllerManagerSecrets],
  lifecycle: controllerManagerLifecycle,
  scopeOf: (shared) => shared,
};
