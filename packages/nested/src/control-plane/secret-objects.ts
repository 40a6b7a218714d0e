import type { NestedControlPlane } from "@rookery/api";
import {
  getOptional,
  ignoreAlreadyExists,
  ignoreNotFound,
  type ResourceClient,
} from "@rookery/client";
import { objectKeyOf, type PartialObjectMetadata, withControllerReference } from "@rookery/kube";
import type { Informer, ReconcileContext } from "@rookery/runtime";
import { type AdoptingStore, encoded, type Secret } from "../pki/secret.ts";
import { secrets } from "../resources.ts";

export const ownedBy = "owner";

/** The Secrets of control planes, which are never cached. */
export interface SecretObjects {
  readonly secretsFor: (controlPlane: NestedControlPlane) => AdoptingStore;
  readonly ownedSecrets: (
    controlPlane: NestedControlPlane,
  ) => Promise<readonly PartialObjectMetadata[]>;
  readonly deleteSecret: (secret: PartialObjectMetadata) => Promise<void>;
}

export function secretObjects(
  { client, signal }: Pick<ReconcileContext<NestedControlPlane>, "client" | "signal">,
  secretMetadata: Informer<PartialObjectMetadata>,
): SecretObjects {
  const resource = client.resource<Secret>(secrets);
  return {
    secretsFor: (controlPlane) => secretsFor(controlPlane, resource),
    ownedSecrets: async ({ metadata }) => {
      await secretMetadata.waitForSync(signal);
      return secretMetadata.list({ index: { name: ownedBy, value: metadata.uid ?? "" } });
    },
    deleteSecret: async (secret) => {
      const { uid } = secret.metadata;
      const options = { ...(uid && { preconditions: { uid } }) };
      await ignoreNotFound(resource.delete(objectKeyOf(secret), options));
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

/** Patches a Secret, unless it has changed since it was read. */
function patch(
  resource: ResourceClient<Secret>,
  secret: Secret,
  change: { readonly data?: object; readonly metadata?: object },
): Promise<Secret> {
  const { uid, resourceVersion } = secret.metadata;
  const metadata = { ...change.metadata, uid, resourceVersion };
  return resource.patch(objectKeyOf(secret), { type: "merge", patch: { ...change, metadata } });
}
