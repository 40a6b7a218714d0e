import type { ClusterResourceSet, ClusterResourceSetBinding } from "@rookery/api";
import { hasOwnerReference, labelSelectorAsSelector, withOwnerReference } from "@rookery/kube";

export type ResourceReference = ClusterResourceSet["spec"]["resources"][number];

type Binding = ClusterResourceSetBinding;
type SetBinding = NonNullable<Binding["spec"]["bindings"]>[number];

/** The entry of a binding for one resource. */
export type ResourceBinding = NonNullable<SetBinding["resources"]>[number];

/** An empty selector selects nothing. */
export function selects(
  selector: ClusterResourceSet["spec"]["clusterSelector"],
  labels: Readonly<Record<string, string>>,
): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  if (Object.keys(matchLabels).length + matchExpressions.length === 0) return false;
  return labelSelectorAsSelector(selector).matches(labels);
}

/** The entries of a binding for the resources of a set. */
export function resourcesIn(
  { spec }: Binding,
  { metadata }: ClusterResourceSet,
): readonly ResourceBinding[] {
  const own = spec.bindings?.find((one) => one.clusterResourceSetName === metadata.name);
  return own?.resources ?? [];
}

/** The entries with one that replaces the entry of the same resource, or is added at the end. */
export function withResource(
  resources: readonly ResourceBinding[],
  changed: ResourceBinding,
): readonly ResourceBinding[] {
  const index = resources.findIndex((one) => isSame(one, changed));
  return index < 0 ? [...resources, changed] : resources.with(index, changed);
}

export function isSame(left: ResourceReference, right: ResourceReference): boolean {
  return left.kind === right.kind && left.name === right.name;
}

/** The binding with the entries of a set, owned by that set, too. */
export function withSet(
  binding: Binding,
  set: ClusterResourceSet,
  resources: readonly ResourceBinding[],
): Binding {
  const clusterResourceSetName = set.metadata.name ?? "";
  const own = { clusterResourceSetName, ...(resources.length > 0 && { resources }) };
  const before = binding.spec.bindings ?? [];
  const index = before.findIndex((one) => one.clusterResourceSetName === clusterResourceSetName);
  const bindings = index < 0 ? [...before, own] : before.with(index, own);
  const owned = hasOwnerReference(binding, set) ? binding : withOwnerReference(binding, set);
  return { ...owned, spec: { ...binding.spec, bindings } };
}
