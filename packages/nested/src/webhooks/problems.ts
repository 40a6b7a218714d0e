import { isTopologyDryRun } from "@rookery/cluster-api";
import {
  deepEqual,
  FieldError,
  type FieldPath,
  fieldPath,
  invalidError,
  type KubeObject,
  type Resource,
} from "@rookery/kube";
import { type AdmissionContext, isBeingDeleted } from "@rookery/runtime";
import { changeProblem } from "../component/skew.ts";

type WithSpec = Pick<KubeObject, "metadata" | "spec">;
type Spec = Readonly<Record<string, unknown>>;

/** The problems of fields that were set and have changed. */
export function changedFields(
  spec: object,
  old: object,
  { path, fields, why }: { path: FieldPath; fields: readonly string[]; why: string },
): FieldError[] {
  return fields
    .filter((field) => {
      const [after, before] = [(spec as Spec)[field], (old as Spec)[field]];
      return before !== undefined && !deepEqual(after, before);
    })
    .map((field) => FieldError.forbidden(path.child(field), `it cannot be changed: ${why}`));
}

/** Whether the spec is not validated: it is unchanged, or the object is being deleted. */
export function isUntouched(object: WithSpec, old: WithSpec): boolean {
  return isBeingDeleted(object) || deepEqual(object.spec, old.spec);
}

/** Throws the error of an invalid object, if there are problems. */
export function refuse(
  resource: Resource,
  { metadata }: Pick<KubeObject, "metadata">,
  problems: readonly FieldError[],
): void {
  if (problems.length > 0) throw invalidError(resource, metadata.name ?? "", problems);
}

interface Reference {
  readonly namespace?: string;
}

/** The problem of a reference to another namespace: owners and owned objects must share one. */
export function referenceProblems(
  reference: Reference | undefined,
  namespace: string,
  path: FieldPath,
): FieldError[] {
  const named = reference?.namespace;
  if (!named || named === namespace) return [];
  const why = `must be the namespace of the object, ${namespace}, or left out`;
  return [FieldError.invalid(path.child("namespace"), named, why)];
}

interface Versioned {
  readonly spec: { readonly version?: string };
  readonly status?: { readonly version?: string };
}

/** Compares with the running version: a version that never ran may be reverted. */
export function versionProblems({ spec }: Versioned, { spec: old, status }: Versioned) {
  if (!spec.version || !status?.version || spec.version === old.version) return [];
  const why = changeProblem(status.version, spec.version);
  return why ? [FieldError.invalid(fieldPath("spec", "version"), spec.version, why)] : [];
}

/** Rejects changes of templates. Cluster API uses another template for a change. */
export function immutableTemplate(resource: Resource) {
  return (template: WithSpec, old: WithSpec, context: AdmissionContext): void => {
    if (isTopologyDryRun(context) || deepEqual(template.spec, old.spec)) return;
    const why = "it cannot be changed: create another template instead";
    refuse(resource, template, [FieldError.forbidden(fieldPath("spec", "template"), why)]);
  };
}
