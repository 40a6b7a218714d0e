import type { NestedCluster, NestedClusterTemplate } from "@rookery/api";
import { isTopologyDryRun } from "@rookery/cluster-api";
import { deepEqual, FieldError, fieldPath } from "@rookery/kube";
import type { AdmissionContext, Validator } from "@rookery/runtime";
import { clusters, clusterTemplates } from "../resources.ts";
import { changedFields, isUntouched } from "./immutable.ts";
import { referenceProblems } from "./references.ts";
import { refuse } from "./refuse.ts";

const path = fieldPath("spec");

/** A cluster stays with the control plane that it was given. */
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

/** A template stays what clusters were made from; Cluster API takes another one for a change. */
export const clusterTemplateValidator: Validator<NestedClusterTemplate> = {
  update: (template, old, context) => {
    if (isTopologyDryRun(context) || deepEqual(template.spec, old.spec)) return;
    const why = "it cannot be changed: create another template instead";
    refuse(clusterTemplates, template, [FieldError.forbidden(path.child("template"), why)]);
  },
};

function problemsOf({ metadata, spec }: NestedCluster, { request }: AdmissionContext) {
  const namespace = metadata.namespace ?? request.namespace ?? "";
  return referenceProblems(spec?.controlPlaneRef, namespace, path.child("controlPlaneRef"));
}
