import type { Controller } from "@rookery/runtime";
import { createComponentController } from "../component/controller.ts";
import type { ComponentControllerOptions } from "../component/dependencies.ts";
import { reconcileComponent } from "../component/reconcile.ts";
import { reportComponentError } from "../report-error.ts";
import {
  configMaps,
  etcds,
  persistentVolumeClaims,
  podDisruptionBudgets,
  services,
  statefulSets,
} from "../resources.ts";
import { etcdDependencies } from "./dependencies.ts";
import { provisionEtcd } from "./provision.ts";
import { removeEtcd } from "./remove.ts";
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
