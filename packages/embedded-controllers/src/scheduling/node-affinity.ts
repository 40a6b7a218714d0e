import type { NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from "@rookery/api";

/** Of a node, what it is selected by. */
interface SelectableNode {
  readonly metadata?: {
    readonly name?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/** Whether a node is one of those that a pod asks for, by its nodeSelector and required affinity. */
export function matchesAffinity(
  { nodeSelector = {}, affinity }: PodSpec,
  node: SelectableNode,
): boolean {
  const labels = node.metadata?.labels ?? {};
  if (Object.entries(nodeSelector).some(([key, value]) => labels[key] !== value)) return false;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || matchesTerms(required.nodeSelectorTerms ?? [], node);
}

/** Any of the terms will do; an empty one matches nothing. */
export function matchesTerms(terms: readonly NodeSelectorTerm[], node: SelectableNode): boolean {
  const labels = node.metadata?.labels ?? {};
  const fields: Readonly<Record<string, string>> = { "metadata.name": node.metadata?.name ?? "" };
  return terms.some(({ matchExpressions = [], matchFields = [] }) => {
    if (matchExpressions.length + matchFields.length === 0) return false;
    return (
      matchExpressions.every((each) => matches(each, labels)) &&
      matchFields.every((each) => matches(each, fields))
    );
  });
}

function matches(
  { key = "", operator = "", values = [] }: NodeSelectorRequirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return isInteger(value) && isInteger(values[0]) && BigInt(value) > BigInt(values[0]);
    case "Lt":
      return isInteger(value) && isInteger(values[0]) && BigInt(value) < BigInt(values[0]);
    default:
      return false;
  }
}

function isInteger(text: string | undefined): text is string {
  return text !== undefined && /^-?\d+$/.test(text);
}
