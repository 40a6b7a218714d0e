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
  /** Keeps the object while it is claimed. */
  readonly finalizer?: string;
  /** Whether it must be as it was read: of several who found it free at once, one gets it. */
  readonly isSeen?: boolean;
}

/**
 * Makes `owner` the one owner and `finalizer` the one finalizer that a claimant has set on an object, and
 * takes those back that it had set before; owners that others set stay. Returns the object as it is then; one that is gone, or
 * another of the same name, is left alone. Errors: a conflict, where `isSeen` and it was changed.
 */
export async function claim<T extends KubeObject>(
  client: Pick<ResourceClient<T>, "apply">,
  object: T,
  { by, owner, finalizer, isSeen = false }: Claim,
): Promise<T | undefined> {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  const { apiVersion, kind } = object;
  const held = {
    ...(owner && { ownerReferences: [owner] }),
    ...(finalizer && { finalizers: [finalizer] }),
  };
  // The uid keeps an apply from making what is not there.
  const seen = { ...(isSeen && { resourceVersion }) };
  const metadata = { name, ...(namespace && { namespace }), uid, ...seen, ...held };
  const applied = { apiVersion, kind, metadata } as KubeObject as T;
  try {
    return await client.apply(applied, { fieldManager: by, force: true });
  } catch (error) {
    if (isNotFound(error) || isReplaced(error)) return undefined;
    throw error;
  }
}

/** What is taken back of an object. */
interface Release {
  readonly by: string;
  readonly ownerUid: string | undefined;
  readonly finalizer?: string;
}

/**
 * Takes back that an object has the owner of this uid and the finalizer, also where another has set
 * them in the meantime: what clusterctl moves has owners and finalizers that clusterctl wrote.
 */
export async function release<T extends KubeObject>(
  client: Pick<ResourceClient<T>, "apply" | "patch">,
  object: T,
  { by, ownerUid, finalizer }: Release,
): Promise<void> {
  const left = await claim(client, object, { by });
  const { ownerReferences = [], finalizers = [], resourceVersion } = left?.metadata ?? {};
  const owners = ownerReferences.filter(({ uid }) => uid !== ownerUid);
  const others = finalizers.filter((one) => one !== finalizer);
  const changes = {
    ...(owners.length < ownerReferences.length && { ownerReferences: owners }),
    ...(others.length < finalizers.length && { finalizers: others }),
  };
  if (Object.keys(changes).length === 0) return;
  const patch = { metadata: { resourceVersion, ...changes } };
  await client.patch(objectKeyOf(object), { type: "merge", patch }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

function isReplaced(error: unknown): boolean {
  return isConflict(error) && error instanceof Error && /\buid\b/i.test(error.message);
}
