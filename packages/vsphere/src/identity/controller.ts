import type { VSphereClusterIdentity } from "@rookery/api";
import { deepEqual, type KubeObject, objectKeyOf } from "@rookery/kube";
import {
  type Cache,
  type Controller,
  createController,
  createInformerSource,
  enqueueRequestForObject,
  enqueueRequestsFromMapFunction,
  isBeingDeleted,
  isInScope,
  type Logger,
  type Metrics,
  not,
  objectMatches,
  or,
  type Predicate,
  resourceVersionChanged,
  type Source,
} from "@rookery/runtime";
import { inUseFinalizers } from "../claims/in-use.ts";
import { secretNameOf } from "../credentials/resolve-identity.ts";
import {
  type CredentialsPlaces,
  isCredentialsNamespace,
  type SecretMetadata,
} from "../credentials/secret-metadata.ts";
import { identities, namespaces } from "../resources.ts";
import { reconcileIdentity, reportIdentityError } from "./reconcile.ts";
import type { IdentityDependencies } from "./scope.ts";

export interface IdentityControllerOptions extends CredentialsPlaces {
  readonly cache: Cache;
  readonly secretMetadata: SecretMetadata;
  readonly dependencies: (signal: AbortSignal) => IdentityDependencies;
  /** See IdentityDependencies. */
  readonly goneUsers: IdentityDependencies["goneUsers"];
  readonly metrics: Metrics;
  readonly logger: Logger;
}

const bySecret = "secret";

export function createIdentityController(options: IdentityControllerOptions): Controller {
  const { cache, secretMetadata, dependencies, goneUsers } = options;
  const informer = cache.informerFor<VSphereClusterIdentity>(identities);
  informer.addIndex(bySecret, (identity) => [secretNameOf(identity)]);
  // A cluster that went before it was seen on the identity could not let go of it.
  const hasGoneUsers = objectMatches<VSphereClusterIdentity>(
    (identity) => goneUsers(identity).length > 0,
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
          if (!isCredentialsNamespace(metadata.namespace, options)) return [];
          const index = { name: bySecret, value: metadata.name ?? "" };
          return informer.list({ index }).map(objectKeyOf);
        }),
      }),
      ...namespaceSource(options),
    ],
    metrics: options.metrics.controller("vsphereclusteridentity"),
    logger: options.logger,
    reconcile: (request, signal) => reconcileIdentity(request, dependencies(signal)),
    reportError: (failed) => reportIdentityError(failed, dependencies(failed.signal)),
  });
}

/** Labels of namespaces say whether an identity is for those that an instance watches by name. */
function namespaceSource({ cache }: IdentityControllerOptions): readonly Source[] {
  if (cache.scope.type !== "namespaces") return [];
  const informer = cache.informerFor<VSphereClusterIdentity>(identities);
  return [
    createInformerSource({
      informer: cache.informerFor<KubeObject>(namespaces),
      predicates: [labelsChanged],
      handler: enqueueRequestsFromMapFunction(({ metadata }) =>
        isInScope(cache.scope, metadata.name ?? "") ? informer.list().map(objectKeyOf) : [],
      ),
    }),
  ];
}

const labelsChanged: Predicate<KubeObject> = (event) =>
  event.type !== "update" ||
  !deepEqual(event.objectOld.metadata.labels, event.objectNew.metadata.labels);

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
