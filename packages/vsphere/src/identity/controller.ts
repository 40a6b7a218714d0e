import type { VSphereClusterIdentity } from "@rookery/api";
import { deepEqual, type KubeObject, objectKeyOf } from "@rookery/kube";
import {
  type Controller,
  type ControllerParts,
  controllerFor,
  isBeingDeleted,
  isInScope,
  labelsChanged,
  not,
  objectMatches,
  or,
  type Predicate,
  resourceVersionChanged,
} from "@rookery/runtime";
import { goneUsers } from "../claims/held-identities.ts";
import { secretNameOf } from "../credentials/resolve-identity.ts";
import { isCredentialsNamespace } from "../credentials/secret-metadata.ts";
import { inUseFinalizers } from "../in-use.ts";
import type { VSphereParts } from "../parts.ts";
import { identities, namespaces } from "../resources.ts";
import { identityLifecycle } from "./reconcile.ts";
import { identityScope } from "./scope.ts";

const bySecret = "secret";

/** Keeps identities and their Secrets. */
export function createIdentityController(parts: ControllerParts & VSphereParts): Controller {
  const { cache, secretMetadata } = parts;
  const informer = cache.informerFor<VSphereClusterIdentity>(identities);
  informer.addIndex(bySecret, (identity) => [secretNameOf(identity)]);
  // A cluster that was deleted before the cache had its finalizer on the identity could not release the identity.
  const hasGoneUsers = objectMatches<VSphereClusterIdentity>(
    (identity) => goneUsers(cache, identity).length > 0,
  );
  const isRelevant = or<VSphereClusterIdentity>(
    not(resourceVersionChanged),
    moreThanUsersChanged,
    hasGoneUsers,
  );
  const builder = controllerFor(identities, parts, { predicates: [isRelevant] }).watches(
    secretMetadata.credentials,
    ({ metadata }) => {
      if (!isCredentialsNamespace(metadata.namespace, parts)) return [];
      const index = { name: bySecret, value: metadata.name ?? "" };
      return informer.list({ index }).map(objectKeyOf);
    },
  );
  // Labels of namespaces decide whether an identity is for those that an instance watches by name.
  if (cache.scope.type === "namespaces") {
    builder.watches<KubeObject>(
      namespaces,
      ({ metadata }) =>
        isInScope(cache.scope, metadata.name ?? "") ? informer.list().map(objectKeyOf) : [],
      labelsChanged,
    );
  }
  return builder.reconcile(identityLifecycle, (context) => identityScope(context, parts));
}

/** Whether more than the clusters that use an identity changed; a deleted identity waits for the last cluster. */
const moreThanUsersChanged: Predicate<VSphereClusterIdentity> = (event) =>
  event.type !== "update" ||
  isBeingDeleted(event.objectNew) ||
  !deepEqual(withoutUsers(event.objectOld), withoutUsers(event.objectNew));

function withoutUsers({ metadata, ...rest }: VSphereClusterIdentity): object {
  const { resourceVersion: _, managedFields: __, finalizers = [], ...others } = metadata;
  const users = new Set(inUseFinalizers(metadata));
  return { ...rest, ...others, finalizers: finalizers.filter((one) => !users.has(one)) };
}
