import type { ResourceClient } from "@rookery/client";
import {
  isConflict,
  isNotFound,
  type KubeObject,
  type OwnerReference,
  objectKeyOf,
} from "@rookery/kube";

interface Claim {
  readonly by: string;
  readonly owner?: OwnerReference;
  /** Whether it must be as it was read: of several who found it free at once, one gets it. */
  readonly isSeen?: boolean;
}

/**
 * Makes `owner` the one owner that a claimant has set on an object, and takes those back that it had
 * set before; owners that others set stay. Returns the object as it is then; one that is gone, or
 * another of the same name, is left alone. Errors: a conflict, where `isSeen` and it was changed.
 */
export async function claim<T extends KubeObject>(
  client: Pick<ResourceClient<T>, "apply">,
  object: T,
  { by, owner, isSeen = false }: Claim,
): Promise<T | undefined> {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  const { apiVersion, kind } = object;
  const owners = { ...(owner && { ownerReferences: [owner] }) };
  // The uid keeps an apply from making what is not there.
  const seen = { ...(isSeen && { resourceVersion }) };
  const metadata = { name, ...(namespace && { namespace }), uid, ...seen, ...owners };
  const applied = { apiVersion, kind, metadata } as KubeObject as T;
  try {
    return await client.apply(applied, { fieldManager: by, force: true });
  } catch (error) {
    if (isNotFound(error) || isReplaced(error)) return undefined;
    throw error;
  }
}

/**
 * Takes back that an object has the owner of this uid, also where another has set it in the meantime:
 * what clusterctl moves has owners that clusterctl wrote.
 */
export async function release<T extends KubeObject>(
  client: Pick<ResourceClient<T>, "apply" | "patch">,
  object: T,
  { by, ownerUid }: { readonly by: string; readonly ownerUid: string | undefined },
): Promise<void> {
  const left = await claim(client, object, { by });
  const { ownerReferences = [], resourceVersion } = left?.metadata ?? {};
  const others = ownerReferences.filter(({ uid }) => uid !== ownerUid);
  if (others.length === ownerReferences.length) return;
  const patch = { metadata: { resourceVersion, ownerReferences: others } };
  await client.patch(objectKeyOf(object), { type: "merge", patch }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

function isReplaced(error: unknown): boolean {
  return isConflict(error) && error instanceof Error && /\buid\b/i.test(error.message);
}
