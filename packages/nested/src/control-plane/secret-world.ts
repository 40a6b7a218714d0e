import type { NestedControlPlane } from "@rookery/api";
import {
  type Client,
  getOptional,
  ignoreAlreadyExists,
  ignoreNotFound,
  type ResourceClient,
} from "@rookery/client";
import { objectKeyOf, type PartialObjectMetadata, withControllerReference } from "@rookery/kube";
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
      await ignoreNotFound(
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
    get: (name) => getOptional(resource, { namespace, name }),
    create: async (secret) =>
      (await ignoreAlreadyExists(resource.create(secret))) ?? resource.get(objectKeyOf(secret)),
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
