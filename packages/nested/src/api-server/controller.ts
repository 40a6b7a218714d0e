import type { NestedAPIServer } from "@rookery/api";
import type { Controller } from "@rookery/runtime";
import { createComponentController } from "../component/controller.ts";
import { reconcileComponent } from "../component/reconcile.ts";
import { removeObjects } from "../component/remove-objects.ts";
import { reportComponentError } from "../report-error.ts";
import {
  apiServers,
  deployments,
  persistentVolumeClaims,
  podDisruptionBudgets,
  services,
} from "../resources.ts";
import { provisionApiServer } from "./reconcile.ts";
import {
  type ApiServerControllerOptions,
  type ApiServerDependencies,
  apiServerDependencies,
} from "./scope.ts";
import { apiServerSecrets, lightSecrets } from "./secrets.ts";

const finalizer = "nestedapiserver.controlplane.cluster.x-k8s.io";
const parts = [deployments, podDisruptionBudgets, services, persistentVolumeClaims];

export function createApiServerController(options: ApiServerControllerOptions): Controller {
  const dependencies = apiServerDependencies(options);
  const kind = { finalizer, provision: provisionApiServer, remove };
  return createComponentController(
    {
      component: "apiserver",
      resource: apiServers,
      parts,
      followsPods: true,
      secrets: (cluster) =>
        [apiServerSecrets, lightSecrets].flatMap((of) => Object.keys(of(cluster).keys)),
      reconcile: (request, signal) => reconcileComponent(request, kind, dependencies(signal)),
      reportError: (failed) => reportComponentError(failed, dependencies(failed.signal)),
    },
    options,
  );
}

function remove(apiServer: NestedAPIServer, cluster: string, dependencies: ApiServerDependencies) {
  const removal = { component: "apiserver", cluster, resources: parts } as const;
  return removeObjects(apiServer, removal, dependencies);
}
