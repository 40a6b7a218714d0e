import type { NestedAPIServer } from "@rookery/api";
import type { ComponentKind } from "../component/controller.ts";
import { apiServers } from "../resources.ts";
import { apiServerLifecycle, objectResources } from "./reconcile.ts";
import { type ApiServerParts, type ApiServerScope, apiServerScope } from "./scope.ts";
import { apiServerSecrets, lightSecrets } from "./secrets.ts";

export function apiServerKind(
  parts: ApiServerParts,
): ComponentKind<NestedAPIServer, ApiServerScope> {
  return {
    component: "apiserver",
    resource: apiServers,
    objectResources,
    followsPods: true,
    secrets: [apiServerSecrets, lightSecrets],
    lifecycle: apiServerLifecycle,
    scopeOf: (shared, context) => apiServerScope(shared, context, parts),
  };
}
