import type { NestedEtcd } from "@rookery/api";
import type { Controller } from "@rookery/runtime";
import {
  type ComponentControllerParts,
  createComponentController,
} from "../component/controller.ts";
import {
  configMaps,
  etcds,
  persistentVolumeClaims,
  podDisruptionBudgets,
  services,
  statefulSets,
} from "../resources.ts";
import { etcdLifecycle } from "./reconcile.ts";
import { type EtcdScope, etcdScope } from "./scope.ts";
import { etcdSecrets } from "./secrets.ts";

export function createEtcdController(
  parts: ComponentControllerParts,
  concurrency: number,
): Controller {
  return createComponentController<NestedEtcd, EtcdScope>(
    {
      component: "etcd",
      resource: etcds,
      objectResources: [
        configMaps,
        services,
        statefulSets,
        podDisruptionBudgets,
        persistentVolumeClaims,
      ],
      followsPods: true,
      secrets: (cluster) => Object.keys(etcdSecrets(cluster).keys),
      lifecycle: etcdLifecycle,
      scopeOf: etcdScope,
    },
    parts,
    concurrency,
  );
}
