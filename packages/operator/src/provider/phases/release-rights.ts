import {
  isNamespaceRight,
  type Namespace,
  needsNoRights,
  rightsFinalizer,
} from "../../instances/namespace-rights.ts";
import { namespaces } from "../../resources.ts";
import type { ProviderScope } from "../scope.ts";

/** Namespaces are not watched; Kubernetes retries their deletion every few seconds. */
const againSeconds = 5;

/**
 * Releases RoleBindings that are being deleted: in a namespace that is being deleted, when no object
 * there needs the rights any more; in any other at once, so that drift correction restores them.
 * Returns the seconds until the next check while some are still needed.
 */
export async function releaseRights(scope: ProviderScope): Promise<number | undefined> {
  const { provider, record, components } = scope;
  const rights = record.state.owned.filter((entry) =>
    isNamespaceRight(entry, provider.metadata.namespace),
  );
  let isWaiting = false;
  for (const entry of rights) {
    const observed = scope.observe(entry);
    const found = observed === "unwatched" ? await components.getMetadata(entry) : observed;
    const { deletionTimestamp, finalizers = [] } = found?.metadata ?? {};
    if (deletionTimestamp === undefined || !finalizers.includes(rightsFinalizer)) continue;
    const namespace = await findNamespace(entry.namespace ?? "", scope);
    if (namespace && !needsNoRights(namespace)) isWaiting = true;
    else await components.release(entry, rightsFinalizer);
  }
  return isWaiting ? againSeconds : undefined;
}

/** A locked operator may list namespaces, but not get those of tenants. */
async function findNamespace(
  name: string,
  { client }: ProviderScope,
): Promise<Namespace | undefined> {
  const { items } = await client
    .resource<Namespace>(namespaces)
    .list({ fieldSelector: `metadata.name=${name}` });
  return items[0];
}
