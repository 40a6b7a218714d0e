import type { Controller } from "@rookery/runtime";
import { createComponentController } from "../component/controller.ts";
import { reconcileComponent } from "../component/reconcile.ts";
import type { ComponentControllerOptions } from "../component/scope.ts";
import { reportComponentError } from "../report-error.ts";
import {
  configMaps,
  etcds,
  persistentVolumeClaims,
  podDisruptionBudgets,
  services,
  statefulSets,
} from "../resources.ts";
import { removeEtcd } from "./phases/remove.ts";
import { provisionEtcd } from "./reconcile.ts";
import { etcdDependencies } from "./scope.ts";
import { etcdSecrets } from "./secrets.ts";

const finalizer = "nestedetcd.controlplane.cluster.x-k8s.io";

export function createEtcdController(options: ComponentControllerOptions): Controller {
  const dependencies = etcdDependencies(options);
  const kind = { finalizer, provision: provisionEtcd, remove: removeEtcd };
  return createComponentController(
    {
      component: "etcd",
      resource: etcds,
      parts: [configMaps, services, statefulSets, podDisruptionBudgets, persistentVolumeClaims],
      followsPods: true,
      secrets: (cluster) => Object.keys(etcdSecrets(cluster).keys),
      reconcile: (request, signal) => reconcileComponent(request, kind, dependencies(signal)),
      reportError: (failed) => reportComponentError(failed, dependencies(failed.signal)),
    },
    options,
  );
}
