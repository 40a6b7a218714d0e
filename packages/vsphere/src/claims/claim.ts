import { createHash } from "node:crypto";
import type { ResourceClient } from "@rookery/client";
import { isConflict, isNotFound, type KubeObject, type ObjectMeta } from "@rookery/kube";

/** Of the fields that we set on objects of others. */
const fieldManager = "rookery-vsphere";

/** Who claims something: the manager of its fields is its alone, so that claims never conflict. */
export function claimant(namespace: string, name: string): string {
  const hash = createHash("sha256").update(`${namespace}/${name}`).digest("hex");
  return `${fieldManager}-${hash.slice(0, 16)}`;
}

/**
 * Sets the finalizers or owners that a claimant has on an object, and takes those back that it had
 * and has no more. An object that is gone, or another of the same name, is left alone.
 */
export async function claim<T extends KubeObject>(
  client: Pick<ResourceClient<T>, "apply">,
  object: T,
  wanted: { readonly by: string } & Pick<ObjectMeta, "finalizers" | "ownerReferences">,
): Promise<void> {
  const { by, ...fields } = wanted;
  const { name, namespace, uid } = object.metadata;
  const { apiVersion, kind } = object;
  const metadata = { name, ...(namespace && { namespace }), uid, ...fields };
  try {
    // The uid keeps an apply from making what is not there.
    const applied = { apiVersion, kind, metadata } as T;
    await client.apply(applied, { fieldManager: by, force: true });
  } catch (error) {
    if (!isNotFound(error) && !isReplaced(error)) throw error;
  }
}

function isReplaced(error: unknown): boolean {
  return isConflict(error) && error instanceof Error && error.message.includes("uid");
}
