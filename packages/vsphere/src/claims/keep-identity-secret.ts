import type { VSphereClusterIdentity } from "@rookery/api";
import type { ResourceClient } from "@rookery/client";
import { isForbidden, type KubeObject } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { secretFinalizer } from "../in-use.ts";
import { claim } from "./claim.ts";
import { fieldManager } from "./field-manager.ts";

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
