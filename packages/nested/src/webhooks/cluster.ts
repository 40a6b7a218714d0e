import type { NestedCluster, NestedClusterTemplate } from "@rookery/api";
import { fieldPath } from "@rookery/kube";
import type { AdmissionContext, Validator } from "@rookery/runtime";
import { clusters, clusterTemplates } from "../resources.ts";
import {
  changedFields,
  immutableTemplate,
  isUntouched,
  referenceProblems,
  refuse,
} from "./problems.ts";

const path = fieldPath("spec");

/** The control plane of a cluster cannot be changed. */
export const clusterValidator: Validator<NestedCluster> = {
  create: (cluster, context) => refuse(clusters, cluster, problemsOf(cluster, context)),
  update: (cluster, old, context) => {
    if (isUntouched(cluster, old)) return;
    const why = "create another cluster for another control plane";
    const options = { path, fields: ["controlPlaneRef"], why };
    refuse(clusters, cluster, [
      ...problemsOf(cluster, context),
      ...changedFields(cluster.spec ?? {}, old.spec ?? {}, options),
    ]);
  },
};

export const clusterTemplateValidator: Validator<NestedClusterTemplate> = {
  update: immutableTemplate(clusterTemplates),
};

function problemsOf({ metadata, spec }: NestedCluster, { request }: AdmissionContext) {
  const namespace = metadata.namespace ?? request.namespace ?? "";
  return referenceProblems(spec?.controlPlaneRef, namespace, path.child("controlPlaneRef"));
}
