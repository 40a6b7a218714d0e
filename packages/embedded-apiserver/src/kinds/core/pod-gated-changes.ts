import type { NodeAffinity, NodeSelectorTerm, PodSpec } from "@rookery/api";
import { FieldError, fieldPath } from "@rookery/kube";
import { isSameValue } from "../meta/field-rules.ts";
import { goStruct } from "../pod-spec/internal-form.ts";

const path = fieldPath("spec");
const required = "requiredDuringSchedulingIgnoredDuringExecution";
const termsPath = path.child("affinity", "nodeAffinity", required, "nodeSelectorTerms");

interface Placed {
  /** With the old placement, where a change of it was looked at. */
  readonly spec: PodSpec;
  readonly problems: readonly FieldError[];
}

/** As long as gates hold a pod back, where it may run can still be narrowed down. */
export function withOldPlacement(spec: PodSpec, old: PodSpec): Placed {
  if ((old.schedulingGates ?? []).length === 0) return { spec, problems: [] };
  const problems = [...validateNodeSelectorChange(spec, old)];
  const { nodeSelector: _, affinity, ...rest } = spec;
  const { nodeAffinity, ...others } = affinity ?? {};
  const { nodeAffinity: oldNodeAffinity, ...oldOthers } = old.affinity ?? {};
  problems.push(...validateNodeAffinityChange(nodeAffinity, oldNodeAffinity));
  const kept = {
    ...others,
    ...(oldNodeAffinity && { nodeAffinity: oldNodeAffinity }),
  };
  const isKept = old.affinity !== undefined && isSameValue(others, oldOthers);
  const placement = isKept ? old.affinity : kept;
  return {
    spec: {
      ...rest,
      ...(old.nodeSelector && { nodeSelector: old.nodeSelector }),
      ...(placement && Object.keys(placement).length > 0 && { affinity: placement }),
    },
    problems,
  };
}

function validateNodeSelectorChange(
  { nodeSelector = {} }: PodSpec,
  { nodeSelector: old = {} }: PodSpec,
): FieldError[] {
  const isKept = Object.entries(old).every(([key, value]) => nodeSelector[key] === value);
  const detail = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
  return isKept ? [] : [FieldError.invalid(path.child("nodeSelector"), nodeSelector, detail)];
}

function validateNodeAffinityChange(
  affinity: NodeAffinity | undefined,
  old: NodeAffinity | undefined,
): FieldError[] {
  const oldTerms = old?.[required]?.nodeSelectorTerms ?? [];
  const terms = affinity?.[required]?.nodeSelectorTerms ?? [];
  if (oldTerms.length === 0) return [];
  if (oldTerms.length !== terms.length) {
    const detail = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
    return [
      FieldError.invalid(
        termsPath,
        terms.map((term) => goStruct("NodeSelectorTerm", term)),
        detail,
      ),
    ];
  }
  return terms.flatMap((term, i) => {
    if (hasOnlyAdditions(term, oldTerms[i] ?? {})) return [];
    const detail = "only additions are allowed (no mutations or deletions)";
    return [FieldError.invalid(termsPath.index(i), goStruct("NodeSelectorTerm", term), detail)];
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
