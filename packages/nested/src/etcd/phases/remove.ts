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
import type { EtcdDependencies } from "../scope.ts";

/** Deletes what etcd is made of, then its volumes where they are not to be kept. */
export async function removeEtcd(
  etcd: NestedEtcd,
  cluster: string,
  dependencies: EtcdDependencies,
): Promise<string | undefined> {
  const resources = [statefulSets, podDisruptionBudgets, services, configMaps];
  const removal = { component: "etcd", cluster, resources } as const;
  const left = await removeObjects(etcd, removal, dependencies);
  if (left || etcd.spec.deletionPolicy === "Retain") return left;
  const { namespace = "" } = etcd.metadata;
  const labels = selectorLabels(cluster, "etcd");
  const claims = await dependencies.list(persistentVolumeClaims, namespace, labels);
  for (const claim of claims) {
    if (!claim.metadata.deletionTimestamp) await dependencies.remove(persistentVolumeClaims, claim);
  }
  return claims.length === 0 ? undefined : `${namesOf(claims)} still there`;
}
