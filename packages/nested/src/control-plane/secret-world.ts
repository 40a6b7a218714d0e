import type { NestedControlPlane } from "@rookery/api";
import type { Client, ResourceClient } from "@rookery/client";
import {
  isAlreadyExists,
  isNotFound,
  objectKeyOf,
  type PartialObjectMetadata,
  withControllerReference,
} from "@rookery/kube";
import type { Informer } from "@rookery/runtime";
import { type AdoptingStore, encoded, type Secret } from "../pki/secret.ts";
import { secrets } from "../resources.ts";
import type { ControlPlaneDependencies } from "./scope.ts";

export const ownedBy = "owner";

/** The Secrets of control planes, read when they are needed and never kept. */
export function secretWorld(
  client: Client,
  secretMetadata: Informer<PartialObjectMetadata>,
): Pick<ControlPlaneDependencies, "secretsFor" | "ownedSecrets" | "deleteSecret"> {
  const resource = client.resource<Secret>(secrets);
  return {
    secretsFor: (controlPlane) => secretsFor(controlPlane, resource),
    ownedSecrets: async ({ metadata }) => {
      await secretMetadata.waitForSync();
      return secretMetadata.list({ index: { name: ownedBy, value: metadata.uid ?? "" } });
    },
    deleteSecret: async (secret) => {
      const { uid } = secret.metadata;
      await ifThere(
        resource.delete(objectKeyOf(secret), { ...(uid && { preconditions: { uid } }) }),
      );
    },
  };
}

function secretsFor(
  controlPlane: NestedControlPlane,
  resource: ResourceClient<Secret>,
): AdoptingStore {
  const { namespace = "" } = controlPlane.metadata;
  return {
    get: (name) => ifThere(resource.get({ namespace, name })),
    create: async (secret) => {
      try {
        return await resource.create(secret);
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
        return resource.get(objectKeyOf(secret));
      }
    },
    write: (secret, changes) => patch(resource, secret, { data: encoded(changes) }),
    adopt: (secret) => {
      const { ownerReferences } = withControllerReference(secret, controlPlane).metadata;
      return patch(resource, secret, { metadata: { ownerReferences } });
    },
  };
}

/** Only of the Secret that was read, in the state in which it was. */
function patch(
  resource: ResourceClient<Secret>,
  secret: Secret,
  change: { readonly data?: object; readonly metadata?: object },
): Promise<Secret> {
  const { uid, resourceVersion } = secret.metadata;
  const metadata = { ...change.metadata, uid, resourceVersion };
  return resource.patch(objectKeyOf(secret), { type: "merge", patch: { ...change, metadata } });
}

async function ifThere<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
