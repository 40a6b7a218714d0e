import type { NestedAPIServer } from "@rookery/api";
import type { Controller } from "@rookery/runtime";
import {
  type ComponentControllerParts,
  createComponentController,
} from "../component/controller.ts";
import { apiServers } from "../resources.ts";
import { apiServerLifecycle, objectResources } from "./reconcile.ts";
import { type ApiServerParts, type ApiServerScope, apiServerScope } from "./scope.ts";
import { apiServerSecrets, lightSecrets } from "./secrets.ts";

export function createApiServerController(
  parts: ComponentControllerParts & ApiServerParts,
  concurrency: number,
): Controller {
  return createComponentController<NestedAPIServer, ApiServerScope>(
    {
      component: "apiserver",
      resource: apiServers,
      objectResources,
      followsPods: true,
      secrets: (cluster) =>
        [apiServerSecrets, lightSecrets].flatMap((of) => Object.keys(of(cluster).keys)),
      lifecycle: apiServerLifecycle,
      scopeOf: (shared, context) => apiServerScope(shared, context, parts),
    },
    parts,
    concurrency,
  );
}
