import type { NestedControlPlane, NestedControlPlaneTemplate } from "@rookery/api";
import { FieldError, fieldPath } from "@rookery/kube";
import type { AdmissionContext, Validator } from "@rookery/runtime";
import { componentFields, kindProblem } from "../control-plane/component.ts";
import { controlPlanes, controlPlaneTemplates } from "../resources.ts";
import {
  changedFields,
  immutableTemplate,
  isUntouched,
  referenceProblems,
  refuse,
  versionProblems,
} from "./problems.ts";

const path = fieldPath("spec");

/** The components of a control plane cannot be changed: another etcd would be another cluster. */
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

export const controlPlaneTemplateValidator: Validator<NestedControlPlaneTemplate> = {
  create: (template) => refuse(controlPlaneTemplates, template, ofOneOnly(template)),
  update: immutableTemplate(controlPlaneTemplates),
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

/** The profile of an existing API server cannot be changed; full is the default. */
function profileProblems({ spec }: NestedControlPlane, { spec: old }: NestedControlPlane) {
  const [after, before] = [spec, old].map(({ profile = "full" }) => profile);
  if (after === before || !old.apiserver) return [];
  const why = "it cannot be changed: the control plane has its API server; create another one";
  return [FieldError.forbidden(path.child("profile"), why)];
}

/** A template must not contain fields that name one object. */
function ofOneOnly({ spec }: NestedControlPlaneTemplate): FieldError[] {
  const inner = path.child("template", "spec");
  return [...componentFields, "controlPlaneEndpoint" as const]
    .filter((field) => spec.template.spec[field] !== undefined)
    .map((field) =>
      FieldError.forbidden(inner.child(field), "it is of one cluster, and a template is of many"),
    );
}
