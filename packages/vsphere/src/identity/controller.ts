import type { VSphereClusterIdentity } from "@rookery/api";
import { deepEqual, objectKeyOf } from "@rookery/kube";
import {
  type Cache,
  type Controller,
  createController,
  createInformerSource,
  enqueueRequestForObject,
  enqueueRequestsFromMapFunction,
  isBeingDeleted,
  type Logger,
  type Metrics,
  not,
  objectMatches,
  or,
  type Predicate,
  resourceVersionChanged,
} from "@rookery/runtime";
import { inUseFinalizers } from "../claims/in-use.ts";
import { secretNameOf } from "../credentials/resolve-identity.ts";
import type { SecretMetadata } from "../credentials/secret-metadata.ts";
import { identities } from "../resources.ts";
import { reconcileIdentity } from "./reconcile.ts";
import type { IdentityDependencies } from "./scope.ts";

export interface IdentityControllerOptions {
  readonly cache: Cache;
  readonly secretMetadata: SecretMetadata;
  readonly dependencies: IdentityDependencies;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

const bySecret = "secret";

export function createIdentityController(options: IdentityControllerOptions): Controller {
  const { cache, secretMetadata, dependencies } = options;
  const informer = cache.informerFor<VSphereClusterIdentity>(identities);
  informer.addIndex(bySecret, (identity) => [secretNameOf(identity)]);
  // A cluster that went before it was seen on the identity could not let go of it.
  const hasGoneUsers = objectMatches<VSphereClusterIdentity>(
    (identity) => dependencies.goneUsers(identity).length > 0,
  );
  return createController({
    name: "vsphereclusteridentity",
    sources: [
      createInformerSource({
        informer,
        predicates: [or<VSphereClusterIdentity>(not(resourceVersionChanged), isNews, hasGoneUsers)],
        handler: enqueueRequestForObject(),
      }),
      createInformerSource({
        informer: secretMetadata.credentials,
        handler: enqueueRequestsFromMapFunction(({ metadata }) => {
          if (metadata.namespace !== dependencies.credentialsNamespace) return [];
          const index = { name: bySecret, value: metadata.name ?? "" };
          return informer.list({ index }).map(objectKeyOf);
        }),
      }),
    ],
    metrics: options.metrics.controller("vsphereclusteridentity"),
    logger: options.logger,
    reconcile: (request) => reconcileIdentity(request, dependencies),
  });
}

/** That clusters come and go on an identity is none, unless it waits for the last of them. */
const isNews: Predicate<VSphereClusterIdentity> = (event) =>
  event.type !== "update" ||
  isBeingDeleted(event.objectNew) ||
  !deepEqual(withoutUsers(event.objectOld), withoutUsers(event.objectNew));

function withoutUsers({ metadata, ...rest }: VSphereClusterIdentity): object {
  const { resourceVersion: _, managedFields: __, finalizers = [], ...others } = metadata;
  const users = new Set(inUseFinalizers(metadata));
  return { ...rest, ...others, finalizers: finalizers.filter((one) => !users.has(one)) };
}
