import type { ClusterResourceSet, ClusterResourceSetBinding } from "@rookery/api";
import { deepEqual, FieldError, fieldPath, validateLabelSelector } from "@rookery/kube";
import { denyInvalid, type Mutator, type Validator } from "@rookery/runtime";
import { resourceSetBindings, resourceSets } from "../resources.ts";

const spec = fieldPath("spec");
const immutable = "field is immutable";

export const defaultResourceSet: Mutator<ClusterResourceSet> = (set) => ({
  ...set,
  spec: { ...set.spec, strategy: set.spec.strategy ?? "ApplyOnce" },
});

/** A ClusterResourceSet needs a selector; selector and strategy are immutable. */
export const resourceSetValidator: Validator<ClusterResourceSet> = {
  create: (set) => denyInvalid(resourceSets, set, selectorProblems(set)),
  update: (set, old) => {
    const { strategy, clusterSelector } = set.spec;
    const path = spec.child("clusterSelector");
    const isMoved = old.spec.strategy !== undefined && old.spec.strategy !== strategy;
    const isSame = deepEqual(old.spec.clusterSelector, clusterSelector);
    denyInvalid(resourceSets, set, [
      ...selectorProblems(set),
      ...(isMoved ? [FieldError.invalid(spec.child("strategy"), strategy, immutable)] : []),
      ...(isSame ? [] : [FieldError.invalid(path, clusterSelector, immutable)]),
    ]);
  },
};

/** The cluster of a binding is immutable. */
export const bindingValidator: Validator<ClusterResourceSetBinding> = {
  update: (binding, old) => {
    const { clusterName } = binding.spec;
    if (!old.spec.clusterName || old.spec.clusterName === clusterName) return;
    const problem = FieldError.invalid(spec.child("clusterName"), clusterName, immutable);
    denyInvalid(resourceSetBindings, binding, [problem]);
  },
};

function selectorProblems({ spec: { clusterSelector } }: ClusterResourceSet): FieldError[] {
  const path = spec.child("clusterSelector");
  const { matchLabels = {}, matchExpressions = [] } = clusterSelector;
  if (Object.keys(matchLabels).length + matchExpressions.length > 0) {
    return validateLabelSelector(clusterSelector, path);
  }
  return [FieldError.invalid(path, clusterSelector, "selector must not be empty")];
}
