import type { VSphereClusterIdentity } from "@rookery/api";
import { ignoreNotFound, type ResourceClient } from "@rookery/client";
import {
  isConflict,
  isForbidden,
  type KubeObject,
  type OwnerReference,
  objectKeyOf,
} from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { secretFinalizer } from "../in-use.ts";

/** Names the fields that the provider sets on objects of others. */
export const fieldManager = "rookery-vsphere";

interface Claim {
  readonly by: string;
  readonly owner?: OwnerReference;
  /** Keeps the object while it is claimed. */
  readonly finalizer?: string;
  /** Whether the object must be as it was read: of several claimants that read it at once, one gets it. */
  readonly isSeen?: boolean;
}

/**
 * Makes `owner` the one owner and `finalizer` the one finalizer that a claimant has set on an object, and removes
 * those that it had set before; owners that others set stay. Returns the object as the server has it; undefined
 * where the object is gone, or another has its name. Errors: a conflict, where `isSeen` and the object was changed.
 */
export async function claim<T extends KubeObject>(
  client: Pick<ResourceClient<T>, "apply">,
  object: T,
  { by, owner, finalizer, isSeen = false }: Claim,
): Promise<T | undefined> {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  const { apiVersion, kind } = object;
  const metadata = {
    name,
    ...(namespace && { namespace }),
    // With a uid, apply does not create an object that is gone.
    uid,
    ...(isSeen && { resourceVersion }),
    ...(owner && { ownerReferences: [owner] }),
    ...(finalizer && { finalizers: [finalizer] }),
  };
  const applied = { apiVersion, kind, metadata } as KubeObject as T;
  try {
    return await ignoreNotFound(client.apply(applied, { fieldManager: by, force: true }));
  } catch (error) {
    if (isReplaced(error)) return undefined;
    throw error;
  }
}

/** The owner and finalizer to remove from an object. */
interface Release {
  readonly by: string;
  readonly ownerUid: string | undefined;
  readonly finalizer?: string;
}

/**
 * Removes the owner of this uid and the finalizer from an object, also where another client set them: objects that
 * clusterctl moved have owners and finalizers that clusterctl wrote.
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
  await ignoreNotFound(client.patch(objectKeyOf(object), { type: "merge", patch }));
}

function isReplaced(error: unknown): boolean {
  return isConflict(error) && error instanceof Error && /\buid\b/i.test(error.message);
}

interface Keeper {
  readonly identity: VSphereClusterIdentity;
  /** The instance that keeps the Secret, by its namespace of credentials. */
  readonly credentialsNamespace: string;
}

/** Keeps the Secret of an identity while clusters of the instance use it. False where it is no longer there. */
export async function keepIdentitySecret(
  secrets: ResourceClient<KubeObject>,
  secret: KubeObject,
  { identity, credentialsNamespace }: Keeper,
): Promise<boolean> {
  const finalizer = secretFinalizer(identity.metadata.name ?? "", credentialsNamespace);
  const isKept = secret.metadata.finalizers?.includes(finalizer);
  if (isKept || isBeingDeleted(secret)) return true;
  // Each finalizer has a field manager: an instance never removes a finalizer of another.
  const by = `${fieldManager}-${finalizer.slice(finalizer.indexOf("/") + 1)}`;
  try {
    return (await claim(secrets, secret, { by, finalizer })) !== undefined;
  } catch (error) {
    // In the namespace that instances shared before, an account may have no right but to read.
    if (isForbidden(error) && secret.metadata.namespace !== credentialsNamespace) return true;
    throw error;
  }
}
