import type { ResourceClient } from "@rookery/client";
import {
  isConflict,
  isNotFound,
  type KubeObject,
  type ObjectMeta,
  objectKeyOf,
} from "@rookery/kube";
import { claimHash, hashLength } from "./in-use.ts";

/** Of the fields that we set on objects of others. */
const fieldManager = "rookery-vsphere";

/** Who claims something: the manager of its fields is its alone, so that claims never conflict. */
export function claimant(namespace: string, name: string): string {
  return `${fieldManager}-${claimHash({ namespace, name })}`;
}

/** Who has set a finalizer that says who uses something. */
export function claimantOf(finalizer: string): string {
  return `${fieldManager}-${finalizer.slice(-hashLength)}`;
}

/**
 * Sets the finalizers or owners that a claimant has on an object, and takes those back that it had
 * and has no more. Returns the object as it is then; one that is gone, or another of the same name,
 * is left alone.
 */
export async function claim<T extends KubeObject>(
  client: Pick<ResourceClient<T>, "apply">,
  object: T,
  wanted: { readonly by: string } & Pick<ObjectMeta, "finalizers" | "ownerReferences">,
): Promise<T | undefined> {
  const { by, ...fields } = wanted;
  const { name, namespace, uid } = object.metadata;
  const { apiVersion, kind } = object;
  const metadata = { name, ...(namespace && { namespace }), uid, ...fields };
  try {
    // The uid keeps an apply from making what is not there.
    const applied = { apiVersion, kind, metadata } as T;
    return await client.apply(applied, { fieldManager: by, force: true });
  } catch (error) {
    if (isNotFound(error) || isReplaced(error)) return undefined;
    throw error;
  }
}

/** What a claimant has on an object: a finalizer, or that an object of this uid owns it. */
export interface Claimed {
  readonly by: string;
  readonly finalizer?: string;
  readonly ownerUid?: string | undefined;
}

/**
 * Takes back what a claimant has on an object, also where another has set it in the meantime: what
 * clusterctl moves has owners that clusterctl wrote.
 */
export async function release<T extends KubeObject>(
  client: Pick<ResourceClient<T>, "apply" | "patch">,
  object: T,
  { by, finalizer, ownerUid }: Claimed,
): Promise<void> {
  const left = await claim(client, object, { by });
  if (!left) return;
  const { finalizers = [], ownerReferences = [], resourceVersion } = left.metadata;
  const others = {
    finalizers: finalizers.filter((one) => one !== finalizer),
    ownerReferences: ownerReferences.filter(({ uid }) => uid !== ownerUid),
  };
  const isFree =
    others.finalizers.length === finalizers.length &&
    others.ownerReferences.length === ownerReferences.length;
  if (isFree) return;
  const patch = { metadata: { resourceVersion, ...others } };
  await client.patch(objectKeyOf(object), { type: "merge", patch }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

function isReplaced(error: unknown): boolean {
  return isConflict(error) && error instanceof Error && error.message.includes("uid");
}
