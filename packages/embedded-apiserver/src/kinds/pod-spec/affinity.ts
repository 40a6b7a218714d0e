import type {
  Affinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
} from "@rookery/api";
import {
  dns1123Label,
  dns1123Subdomain,
  inRange,
  labelSelector,
  labelValue,
  qualifiedName,
} from "../meta/checks.ts";
import { each, required, struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import type { Rule, Rules } from "../meta/rules.ts";
import { labelKeys } from "./scheduling.ts";

const weight = inRange(1, 100, "must be in the range 1-100");
const notAnOperator = "not a valid selector operator";

/** Go: ValidateNodeSelectorRequirement, without the key and the values themselves. */
function operatorAndValues(
  { operator = "", values = [] }: NodeSelectorRequirement,
  field: Field,
): void {
  const at = field.child("values");
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) at.required("must be specified when `operator` is 'In' or 'NotIn'");
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    if (values.length > 0) at.forbidden(detail);
  } else if (operator === "Gt" || operator === "Lt") {
    const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
    if (values.length !== 1) at.required(detail);
  } else field.child("operator").invalid(operator, notAnOperator);
}

/** Go: ValidateNodeFieldSelectorRequirement. */
function fieldRequirement(requirement: NodeSelectorRequirement, field: Field): void {
  const { key = "", operator = "", values = [] } = requirement;
  const one = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  if (operator !== "In" && operator !== "NotIn") {
    field.child("operator").invalid(operator, notAnOperator);
  } else if (values.length !== 1) field.child("values").required(one);
  if (key === "metadata.name") names(values, field.child("values"));
  else field.child("key").invalid(key, "not a valid field selector key");
}

const names = each(dns1123Subdomain);

/** Kubernetes does not validate the values of preferred terms. */
function nodeSelectorTerm(values: Rules<readonly string[] | undefined>): Rules<NodeSelectorTerm> {
  return {
    matchExpressions: each<NodeSelectorRequirement>([
      operatorAndValues,
      { key: qualifiedName, values },
    ]),
    matchFields: each(fieldRequirement),
  };
}

/** Go: ValidateNodeSelector. PersistentVolumes have one too. */
export const nodeSelector: Rules<NodeSelector> = {
  nodeSelectorTerms: required(
    each(nodeSelectorTerm(each(labelValue))),
    "must have at least one node selector term",
  ),
};

/** Kubernetes reports errors of namespaces at "namespace". */
const namespaceNames: Rule<readonly string[] | undefined> = (namespaces, field) => {
  for (const name of namespaces ?? []) dns1123Label(name, field.as("namespace"));
};

const podAffinityTerm: Rules<PodAffinityTerm> = [
  { labelSelector, namespaceSelector: labelSelector, namespaces: namespaceNames },
  labelKeys,
  { topologyKey: [required([], "can not be empty"), qualifiedName] },
];

const podAffinity: Rules<PodAffinity | undefined> = {
  requiredDuringSchedulingIgnoredDuringExecution: each(podAffinityTerm),
  preferredDuringSchedulingIgnoredDuringExecution: each({
    weight,
    podAffinityTerm: struct(podAffinityTerm),
  }),
};

/** Go: validateAffinity. */
export const affinity: Rules<Affinity | undefined> = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: nodeSelector,
    preferredDuringSchedulingIgnoredDuringExecution: each({
      weight,
      preference: struct(nodeSelectorTerm([])),
    }),
  },
  podAffinity,
  podAntiAffinity: podAffinity,
};
