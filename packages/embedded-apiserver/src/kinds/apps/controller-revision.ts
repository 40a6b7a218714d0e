import type { ControllerRevision } from "@rookery/api";
import { FieldError, fieldPath, formatGroupKind, parseApiVersion } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { validateImmutable, validateNonnegative } from "../meta/field-rules.ts";

export const controllerRevisionKind: BuiltInKind<ControllerRevision> = {
  group: "apps",
  version: "v1",
  kind: "ControllerRevision",
  plural: "controllerrevisions",
  singular: "controllerrevision",
  namespaced: true,
  goType: "k8s.io/api/apps/v1.ControllerRevision",
  model: "io.k8s.api.apps.v1.ControllerRevision",
  validate: (revision) => [...validateRevision(revision), ...validateData(revision)],
  validateUpdate: (revision, old) => [
    ...validateRevision(revision),
    ...validateImmutable(revision.data, old.data, fieldPath("data")),
  ],
  columns: [
    nameColumn,
    column("Controller", "string", controllerName),
    column("Revision", "string", ({ revision = 0 }: ControllerRevision) => revision),
    ageColumn,
  ],
};

function controllerName({ metadata }: ControllerRevision): string {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
  if (owner === undefined) return "<none>";
  const { group } = parseApiVersion(owner.apiVersion);
  return `${formatGroupKind({ group, kind: owner.kind }).toLowerCase()}/${owner.name}`;
}

function validateRevision({ revision = 0 }: ControllerRevision): FieldError[] {
  return validateNonnegative(revision, fieldPath("revision"));
}

function validateData({ data }: ControllerRevision): FieldError[] {
  const path = fieldPath("data");
  if (data === undefined || data === null) return [FieldError.required(path, "data is mandatory")];
  if (typeof data === "object" && !Array.isArray(data)) return [];
  return [FieldError.required(path, "data must be a valid JSON object")];
}
