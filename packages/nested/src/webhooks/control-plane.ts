import type { NestedControlPlane, NestedControlPlaneTemplate } from "@rookery/api";
import { isTopologyDryRun } from "@rookery/cluster-api";
import { deepEqual, FieldError, fieldPath } from "@rookery/kube";
import type { AdmissionContext, Validator } from "@rookery/runtime";
import { changeProblem } from "../component/skew.ts";
import { componentFields, kindProblem } from "../control-plane/component.ts";
import { controlPlanes, controlPlaneTemplates } from "../resources.ts";
import { changedFields, isUntouched } from "./immutable.ts";
import { referenceProblems } from "./references.ts";
import { refuse } from "./refuse.ts";

const path = fieldPath("spec");

/** A control plane stays with its components: with another etcd it would be another cluster. */
export const controlPlaneValidator: Validator<NestedControlPlane> = {
  create: (controlPlane, context) =>
    refuse(controlPlanes, controlPlane, problemsOf(controlPlane, context)),
  update: (controlPlane, old, context) => {
    if (isUntouched(controlPlane, old)) return;
    const why = "a control plane stays with its components; change the component instead";
    const options = { path, fields: componentFields, why };
    refuse(controlPlanes, controlPlane, [
      ...problemsOf(controlPlane, context, old.spec),
      ...changedFields(controlPlane.spec, old.spec, options),
      ...versionProblems(controlPlane, old),
      ...profileProblems(controlPlane, old),
    ]);
  },
};

/** A template stays what control planes were made from; Cluster API takes another for a change. */
export const controlPlaneTemplateValidator: Validator<NestedControlPlaneTemplate> = {
  create: (template) => refuse(controlPlaneTemplates, template, ofOneOnly(template)),
  update: (template, old, context) => {
    if (isTopologyDryRun(context) || deepEqual(template.spec, old.spec)) return;
    const why = "it cannot be changed: create another template instead";
    const problem = FieldError.forbidden(path.child("template"), why);
    refuse(controlPlaneTemplates, template, [problem]);
  },
};

function problemsOf(
  { metadata, spec }: NestedControlPlane,
  { request }: AdmissionContext,
  old: Partial<NestedControlPlane["spec"]> = {},
): FieldError[] {
  const namespace = metadata.namespace ?? request.namespace ?? "";
  return componentFields.flatMap((field) => {
    const reference = spec[field];
    const why = reference && !old[field] ? kindProblem(field, reference) : undefined;
    return [
      ...referenceProblems(reference, namespace, path.child(field)),
      ...(why ? [FieldError.forbidden(path.child(field), why)] : []),
    ];
  });
}

/** Against what runs: a version that never came to run may be taken back. */
function versionProblems(
  { spec }: NestedControlPlane,
  { spec: old, status }: NestedControlPlane,
): FieldError[] {
  if (!spec.version || !status?.version || spec.version === old.version) return [];
  const why = changeProblem(status.version, spec.version);
  return why ? [FieldError.invalid(path.child("version"), spec.version, why)] : [];
}

/** Absent is full. What was created for one profile is of no use to the other. */
function profileProblems({ spec }: NestedControlPlane, { spec: old }: NestedControlPlane) {
  const [after, before] = [spec, old].map(({ profile = "full" }) => profile);
  if (after === before || !old.apiserver) return [];
  const why = "it cannot be changed: the control plane has its API server; create another one";
  return [FieldError.forbidden(path.child("profile"), why)];
}

/** What names one object cannot be in what many are made from. */
function ofOneOnly({ spec }: NestedControlPlaneTemplate): FieldError[] {
  const inner = path.child("template", "spec");
  return [...componentFields, "controlPlaneEndpoint" as const]
    .filter((field) => spec.template.spec[field] !== undefined)
    .map((field) =>
      FieldError.forbidden(inner.child(field), "it is of one cluster, and a template is of many"),
    );
}
