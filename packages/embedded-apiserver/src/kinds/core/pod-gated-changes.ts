import type { NodeAffinity, NodeSelectorTerm, PodSpec } from "@rookery/api";
import type { Field } from "../meta/field.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { goStruct } from "../meta/internal-form.ts";

const required = "requiredDuringSchedulingIgnoredDuringExecution";

/**
 * The placement of a gated pod can be narrowed down. Reports other changes of the placement, and returns
 * the spec with the old placement.
 */
export function withOldPlacement(spec: PodSpec, old: PodSpec, field: Field): PodSpec {
  if ((old.schedulingGates ?? []).length === 0) return spec;
  const { nodeSelector = {}, affinity, ...rest } = spec;
  const { nodeAffinity, ...others } = affinity ?? {};
  const { nodeAffinity: oldNodeAffinity, ...oldOthers } = old.affinity ?? {};
  const isKept = Object.entries(old.nodeSelector ?? {}).every(
    ([key, value]) => nodeSelector[key] === value,
  );
  const additions = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
  if (!isKept) field.child("nodeSelector").invalid(nodeSelector, additions);
  nodeAffinityChange(nodeAffinity, oldNodeAffinity, field.child("affinity", "nodeAffinity"));
  const kept = { ...others, ...(oldNodeAffinity && { nodeAffinity: oldNodeAffinity }) };
  const isOld = old.affinity !== undefined && isSameValue(others, oldOthers);
  const placement = isOld ? old.affinity : kept;
  return {
    ...rest,
    ...(old.nodeSelector && { nodeSelector: old.nodeSelector }),
    ...(placement && Object.keys(placement).length > 0 && { affinity: placement }),
  };
}

function nodeAffinityChange(
  affinity: NodeAffinity | undefined,
  old: NodeAffinity | undefined,
  field: Field,
): void {
  const at = field.child(required, "nodeSelectorTerms");
  const oldTerms = old?.[required]?.nodeSelectorTerms ?? [];
  const terms = affinity?.[required]?.nodeSelectorTerms ?? [];
  if (oldTerms.length === 0) return;
  if (oldTerms.length !== terms.length) {
    const detail = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
    at.invalid(
      terms.map((term) => goStruct("NodeSelectorTerm", term)),
      detail,
    );
    return;
  }
  terms.forEach((term, i) => {
    if (hasOnlyAdditions(term, oldTerms[i] ?? {})) return;
    const detail = "only additions are allowed (no mutations or deletions)";
    at.index(i).invalid(goStruct("NodeSelectorTerm", term), detail);
  });
}

function hasOnlyAdditions(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const isNew = Object.values(old).every((list) => (list ?? []).length === 0);
  const isSet = Object.values(term).some((list) => (list ?? []).length > 0);
  if (isNew && isSet) return false;
  return (["matchExpressions", "matchFields"] as const).every((field) => {
    const before = old[field] ?? [];
    return isSameValue((term[field] ?? []).slice(0, before.length), before);
  });
}
