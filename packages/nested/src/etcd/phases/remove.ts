import type { NestedEtcd } from "@rookery/api";
import { namesOf, removeObjects } from "../../component/remove-objects.ts";
import { selectorLabels } from "../../names.ts";
import {
  configMaps,
  persistentVolumeClaims,
  podDisruptionBudgets,
  services,
  statefulSets,
} from "../../resources.ts";
import type { EtcdScope } from "../scope.ts";

/** Deletes the objects of etcd, then its volumes, unless they are to be retained. */
export async function removeEtcd(
  etcd: NestedEtcd,
  cluster: string,
  scope: EtcdScope,
): Promise<string | undefined> {
  const resources = [statefulSets, podDisruptionBudgets, services, configMaps];
  const removal = { component: "etcd", cluster, resources } as const;
  const left = await removeObjects(etcd, removal, scope);
  if (left || etcd.spec.deletionPolicy === "Retain") return left;
  const { namespace = "" } = etcd.metadata;
  const labels = selectorLabels(cluster, "etcd");
  const claims = await scope.list(persistentVolumeClaims, namespace, labels);
  for (const claim of claims) {
    if (!claim.metadata.deletionTimestamp) await scope.remove(persistentVolumeClaims, claim);
  }
  return claims.length === 0 ? undefined : `${namesOf(claims)} still there`;
}
