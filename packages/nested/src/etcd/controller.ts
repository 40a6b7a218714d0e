import type { NestedEtcd } from "@rookery/api";
import type { ComponentKind } from "../component/controller.ts";
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

export const etcdKind: ComponentKind<NestedEtcd, EtcdScope> = {
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
  secrets: [etcdSecrets],
  lifecycle: etcdLifecycle,
  scopeOf: etcdScope,
};
