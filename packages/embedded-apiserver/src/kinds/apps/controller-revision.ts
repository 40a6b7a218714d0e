import type { ControllerRevision } from "@rookery/api";
import { formatGroupKind, parseApiVersion } from "@rookery/kube";
import { type BuiltInKind, kindNames } from "../declaration/kind.ts";
import { immutable, nonNegative } from "../meta/checks.ts";
import { ageColumn, columns, nameColumn } from "../meta/columns.ts";
import type { Field } from "../meta/field.ts";
import { validator } from "../meta/rules.ts";

export const controllerRevisionKind: BuiltInKind<ControllerRevision> = {
  ...kindNames("apps", "ControllerRevision", "controllerrevisions"),
  namespaced: true,
  validate: validator<ControllerRevision>({ revision: nonNegative, data: jsonObject }),
  validateUpdate: validator<ControllerRevision>({ revision: nonNegative, data: immutable }),
  columns: [
    nameColumn,
    ...columns<ControllerRevision>({
      Controller: controllerName,
      Revision: ({ revision = 0 }) => revision,
    }),
    ageColumn,
  ],
};

function controllerName({ metadata }: ControllerRevision): string {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
  if (owner === undefined) return "<none>";
  const { group } = parseApiVersion(owner.apiVersion);
  return `${formatGroupKind({ group, kind: owner.kind }).toLowerCase()}/${owner.name}`;
}

function jsonObject(data: unknown, field: Field): void {
  if (data === undefined || data === null) field.required("data is mandatory");
  else if (typeof data !== "object" || Array.isArray(data)) {
    field.required("data must be a valid JSON object");
  }
}
