import type { MatchCondition } from "@rookery/api";
import { compileExpression, type Expression, type VariableType } from "@rookery/schema";
import { maxItems, qualifiedName, unique } from "../meta/checks.ts";
import { each, required, unlessEmpty } from "../meta/combinators.ts";
import { type Rule, ruleOf } from "../meta/rules.ts";

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
        name: "string",
        generateName: "string",
        namespace: "string",
        UID: "string",
        labels: { map: "string" },
        annotations: { map: "string" },
        creationTimestamp: "timestamp",
        deletionTimestamp: "timestamp",
        deletionGracePeriodSeconds: "int",
        generation: "int",
        resourceVersion: "string",
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
              status: "string",
              type: "string",
              message: "string",
              reason: "string",
              lastTransitionTime: "timestamp",
            },
          },
        },
      },
    },
  },
};

/** The variables of conditions. */
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

/** The compiled condition, or the error of the compiler. */
export function compileMatchCondition(expression: string): Expression | string {
  return compileExpression(expression.trim(), variables);
}

const expression: Rule<string | undefined> = (text = "", field) => {
  const trimmed = text.trim();
  const compiled = trimmed === "" ? undefined : compileMatchCondition(trimmed);
  if (trimmed === "") field.required();
  else if (typeof compiled === "string") field.invalid(trimmed, compiled);
};

/** Go: validateMatchConditions. The conditions under which a webhook is called. */
export const matchConditions = ruleOf<readonly MatchCondition[] | undefined>([
  maxItems(64),
  each({ expression, name: [required(qualifiedName), unlessEmpty(unique)] }),
]);
