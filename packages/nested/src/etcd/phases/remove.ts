import type { NestedEtcd } from "@rookery/api";
import { namesOf } from "../../component/lifecycle.ts";
import { selectorLabels } from "../../names.ts";
import { persistentVolumeClaims } from "../../resources.ts";
import type { EtcdScope } from "../scope.ts";

/** Deletes the volumes of etcd, unless they are retained. Returns a message while some still exist. */
export async function removeVolumes(
  { metadata: { namespace = "" }, spec }: NestedEtcd,
  cluster: string,
  scope: EtcdScope,
): Promise<string | undefined> {
  if (spec.deletionPolicy === "Retain") return undefined;
  const labels = selectorLabels(cluster, "etcd");
  const claims = await scope.list(persistentVolumeClaims, namespace, labels);
  for (const claim of claims) {
    if (!claim.metadata.deletionTimestamp) await scope.remove(persistentVolumeClaims, claim);
  }
  return claims.length === 0 ? undefined : `${namesOf(claims)} still there`;
}
