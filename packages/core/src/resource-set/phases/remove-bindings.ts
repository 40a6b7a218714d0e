import type { ClusterResourceSet } from "@rookery/api";
import { withoutOwnerReference } from "@rookery/kube";
import type { ResourceSetScope } from "../scope.ts";

/** Removes the entries of a set from all bindings. The applied resources stay in their clusters. */
export async function removeBindings(
  set: ClusterResourceSet,
  { selectedClusters, getBinding, commitBinding, deleteBinding }: ResourceSetScope,
): Promise<void> {
  for (const { metadata } of await selectedClusters(set)) {
    const { name = "", namespace = "" } = metadata;
    const binding = await getBinding({ name, namespace });
    if (!binding) continue;
    const bindings = (binding.spec.bindings ?? []).filter(
      (one) => one.clusterResourceSetName !== set.metadata.name,
    );
    if (bindings.length === 0) await deleteBinding(binding);
    else {
      const free = withoutOwnerReference(binding, set);
      await commitBinding(binding, { ...free, spec: { ...binding.spec, bindings } });
    }
  }
}
