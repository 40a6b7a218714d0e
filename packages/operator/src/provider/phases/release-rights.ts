import {
  isNamespaceRight,
  type Namespace,
  needsNoRights,
  rightsFinalizer,
} from "../../instances/namespace-rights.ts";
import { namespaces } from "../../resources.ts";
import type { ProviderScope } from "../scope.ts";

/** Namespaces are not watched; Kubernetes itself looks again every few seconds. */
const againSeconds = 5;

/**
 * Lets go of rights in namespaces that are being deleted once nothing there needs them, and of those
 * that somebody deleted alone, which are restored then. Resolves to the seconds until it looks again at
 * those that are still needed.
 */
export async function releaseRights(scope: ProviderScope): Promise<number | undefined> {
  const { provider, record, components, signal } = scope;
  const rights = record.state.owned.filter((entry) =>
    isNamespaceRight(entry, provider.metadata.namespace),
  );
  let isWaiting = false;
  for (const entry of rights) {
    const observed = scope.observe(entry);
    const found = observed === "unwatched" ? await components.getMetadata(entry, signal) : observed;
    const { deletionTimestamp, finalizers = [] } = found?.metadata ?? {};
    if (deletionTimestamp === undefined || !finalizers.includes(rightsFinalizer)) continue;
    const namespace = await findNamespace(entry.namespace ?? "", scope);
    if (namespace && !needsNoRights(namespace)) isWaiting = true;
    else await components.release(entry, { finalizer: rightsFinalizer, signal });
  }
  return isWaiting ? againSeconds : undefined;
}

/** An operator with a role of its own for its providers may list namespaces, and get none of tenants. */
async function findNamespace(
  name: string,
  { client, signal }: ProviderScope,
): Promise<Namespace | undefined> {
  const { items } = await client
    .resource<Namespace>(namespaces)
    .list({ fieldSelector: `metadata.name=${name}`, signal });
  return items[0];
}
