import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import { deepEqual, type KubeObject, objectKeyOf, type PartialObjectMetadata } from "@rookery/kube";
import {
  type Cache,
  type Controller,
  createController,
  createInformerSource,
  done,
  enqueueRequestForObject,
  enqueueRequestsFromMapFunction,
  type Informer,
  type Logger,
  type Metrics,
  objectMatches,
  type Predicate,
  type Request,
  type Result,
  type Source,
} from "@rookery/runtime";
import { inUseFinalizers } from "../claims/in-use.ts";
import { connectedIdentity } from "../credentials/resolve-identity.ts";
import {
  type CredentialsPlaces,
  isCredentialsNamespace,
  keptIn,
  type SecretMetadata,
  usedBy,
} from "../credentials/secret-metadata.ts";
import { clusters, identities } from "../resources.ts";

/** What one reconcile of a Secret needs of the world. */
export interface SecretDependencies {
  readonly getSecret: (key: Request) => Promise<PartialObjectMetadata | undefined>;
  /** The finalizers of this controller on the Secret that nobody needs any more. */
  readonly goneUsers: (secret: PartialObjectMetadata) => Promise<readonly string[]>;
  /** Removes these finalizers; a Secret that is gone, or another of its name, is left alone. */
  readonly release: (secret: PartialObjectMetadata, gone: readonly string[]) => Promise<void>;
}

export interface SecretControllerOptions {
  readonly cache: Cache;
  readonly secretMetadata: SecretMetadata;
  readonly dependencies: (signal: AbortSignal) => SecretDependencies;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Releases Secrets of clusters that are gone: those were moved, or lost their own finalizer. */
export function createSecretController(options: SecretControllerOptions): Controller {
  const { watched } = options.secretMetadata;
  const isUsed = objectMatches<PartialObjectMetadata>(
    ({ metadata }) => inUseFinalizers(metadata).length > 0,
  );
  return releaseController("vspherecluster-secret", options, [
    createInformerSource({
      informer: watched,
      predicates: [isUsed],
      handler: enqueueRequestForObject(),
    }),
    createInformerSource({
      informer: options.cache.informerFor<VSphereCluster>(clusters),
      predicates: [({ type }) => type === "delete"],
      handler: enqueueRequestsFromMapFunction(({ metadata }) =>
        usedBy(watched, metadata).map(objectKeyOf),
      ),
    }),
  ]);
}

/** Releases Secrets of identities once no cluster of the instance uses the identity. */
export function createIdentitySecretController(
  options: SecretControllerOptions & CredentialsPlaces,
): Controller {
  const { cache, secretMetadata } = options;
  const { credentials } = secretMetadata;
  const wakesAll = <T extends KubeObject>(
    informer: Informer<T>,
    usersChanged: Predicate<T>,
  ): Source =>
    createInformerSource({
      informer,
      predicates: [usersChanged],
      handler: enqueueRequestsFromMapFunction(() => keptIn(credentials).map(objectKeyOf)),
    });
  return releaseController("vsphereclusteridentity-secret", options, [
    createInformerSource({
      informer: credentials,
      // One in the own namespace takes the place of that of the same name in the former.
      handler: enqueueRequestsFromMapFunction(({ metadata: { name, namespace } }) =>
        isCredentialsNamespace(namespace, options)
          ? keptIn(credentials)
              .filter(({ metadata }) => metadata.name === name)
              .map(objectKeyOf)
          : [],
      ),
    }),
    wakesAll(cache.informerFor<VSphereCluster>(clusters), connectionChanged),
    wakesAll(cache.informerFor<VSphereClusterIdentity>(identities), usersChanged),
  ]);
}

const connectionChanged: Predicate<VSphereCluster> = (event) =>
  event.type === "delete" ||
  (event.type === "update" &&
    connectedIdentity(event.objectOld) !== connectedIdentity(event.objectNew));

const usersChanged: Predicate<VSphereClusterIdentity> = (event) =>
  event.type === "delete" ||
  (event.type === "update" &&
    !deepEqual(
      inUseFinalizers(event.objectOld.metadata),
      inUseFinalizers(event.objectNew.metadata),
    ));

function releaseController(
  name: string,
  { dependencies, metrics, logger }: SecretControllerOptions,
  sources: readonly Source[],
): Controller {
  return createController({
    name,
    sources: [...sources],
    metrics: metrics.controller(name),
    logger,
    reconcile: (request, signal) => releaseGone(request, dependencies(signal)),
  });
}

async function releaseGone(
  request: Request,
  { getSecret, goneUsers, release }: SecretDependencies,
): Promise<Result> {
  const secret = await getSecret(request);
  const gone = secret ? await goneUsers(secret) : [];
  if (secret && gone.length > 0) await release(secret, gone);
  return done;
}
