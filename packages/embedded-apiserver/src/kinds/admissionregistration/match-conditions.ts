import type { MatchCondition } from "@rookery/api";
import { FieldError, type FieldPath, repeatedPlaces, validateQualifiedName } from "@rookery/kube";
import { compileExpression, type Expression, type VariableType } from "@rookery/schema";

const groupVersionKind: VariableType = {
  name: "kubernetes.GroupVersionKind",
  fields: { group: "string", version: "string", kind: "string" },
};
const groupVersionResource: VariableType = {
  name: "kubernetes.GroupVersionResource",
  fields: { group: "string", version: "string", resource: "string" },
};
const userInfo: VariableType = {
  name: "kubernetes.UserInfo",
  fields: {
    username: "string",
    uid: "string",
    groups: { list: "string" },
    extra: { map: { list: "string" } },
  },
};

const namespaceObject: VariableType = {
  name: "kubernetes.Namespace",
  fields: {
    metadata: {
      name: "kubernetes.NamespaceMetadata",
      fields: {
        ...{ name: "string", generateName: "string", namespace: "string", UID: "string" },
        ...{ labels: { map: "string" }, annotations: { map: "string" } },
        ...{ creationTimestamp: "timestamp", deletionTimestamp: "timestamp" },
        ...{ deletionGracePeriodSeconds: "int", generation: "int", resourceVersion: "string" },
        finalizers: { list: "string" },
      },
    },
    spec: { name: "kubernetes.NamespaceSpec", fields: { finalizers: { list: "string" } } },
    status: {
      name: "kubernetes.NamespaceStatus",
      fields: {
        phase: "string",
        conditions: {
          list: {
            name: "kubernetes.NamespaceCondition",
            fields: {
              ...{ status: "string", type: "string", message: "string", reason: "string" },
              lastTransitionTime: "timestamp",
            },
          },
        },
      },
    },
  },
};

/** What conditions are about. */
const variables: Readonly<Record<string, VariableType>> = {
  object: "dyn",
  oldObject: "dyn",
  namespaceObject,
  authorizer: "authorizer",
  "authorizer.requestResource": "resourceCheck",
  request: {
    name: "kubernetes.AdmissionRequest",
    fields: {
      kind: groupVersionKind,
      resource: groupVersionResource,
      subResource: "string",
      requestKind: groupVersionKind,
      requestResource: groupVersionResource,
      requestSubResource: "string",
      name: "string",
      namespace: "string",
      operation: "string",
      userInfo,
      dryRun: "bool",
      options: "dyn",
    },
  },
};

/** A condition ready to be asked, or why it can't be. */
export function compileMatchCondition(expression: string): Expression | string {
  return compileExpression(expression.trim(), variables);
}

const maxConditions = 64;

/** Problems of the conditions under which a webhook is called. */
export function validateMatchConditions(
  conditions: readonly MatchCondition[],
  path: FieldPath,
): FieldError[] {
  const repeated = repeatedPlaces(conditions.map(({ name = "" }) => name));
  const tooMany = conditions.length > maxConditions;
  return [
    ...(tooMany ? [FieldError.tooMany(path, conditions.length, maxConditions)] : []),
    ...conditions.flatMap((condition, index) => [
      ...validateCondition(condition, path.index(index)),
      ...(condition.name && repeated.has(index)
        ? [FieldError.duplicate(path.index(index).child("name"), condition.name)]
        : []),
    ]),
  ];
}

function validateCondition(
  { name = "", expression = "" }: MatchCondition,
  path: FieldPath,
): FieldError[] {
  const problems = name === "" ? [] : validateQualifiedName(name);
  return [
    ...validateExpression(expression.trim(), path.child("expression")),
    ...(name === "" ? [FieldError.required(path.child("name"), "")] : []),
    ...problems.map((problem) => FieldError.invalid(path.child("name"), name, problem)),
  ];
}

function validateExpression(expression: string, path: FieldPath): FieldError[] {
  if (expression === "") return [FieldError.required(path, "")];
  const compiled = compileMatchCondition(expression);
  return typeof compiled === "string" ? [FieldError.invalid(path, expression, compiled)] : [];
}
