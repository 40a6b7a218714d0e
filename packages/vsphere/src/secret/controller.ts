import type { VSphereCluster } from "@rookery/api";
import { objectKeyOf, type PartialObjectMetadata } from "@rookery/kube";
import {
  type Cache,
  type Controller,
  createController,
  createInformerSource,
  done,
  enqueueRequestForObject,
  enqueueRequestsFromMapFunction,
  type Logger,
  type Metrics,
  objectMatches,
  type Request,
  type Result,
} from "@rookery/runtime";
import { inUseFinalizer, inUseFinalizers } from "../claims/in-use.ts";
import { type SecretMetadata, usedBy } from "../credentials/secret-metadata.ts";
import { clusters } from "../resources.ts";

/** What one reconcile of a Secret needs of the world. */
export interface SecretDependencies {
  readonly getSecret: (key: Request) => Promise<PartialObjectMetadata | undefined>;
  readonly clustersIn: (namespace: string) => Promise<readonly VSphereCluster[]>;
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
  const { cache, dependencies, secretMetadata } = options;
  return createController({
    name: "vspherecluster-secret",
    sources: [
      createInformerSource({
        informer: secretMetadata.watched,
        predicates: [
          objectMatches<PartialObjectMetadata>(
            ({ metadata }) => inUseFinalizers(metadata).length > 0,
          ),
        ],
        handler: enqueueRequestForObject(),
      }),
      createInformerSource({
        informer: cache.informerFor<VSphereCluster>(clusters),
        predicates: [({ type }) => type === "delete"],
        handler: enqueueRequestsFromMapFunction(({ metadata }) =>
          usedBy(secretMetadata.watched, metadata).map(objectKeyOf),
        ),
      }),
    ],
    metrics: options.metrics.controller("vspherecluster-secret"),
    logger: options.logger,
    reconcile: (request, signal) => releaseGone(request, dependencies(signal)),
  });
}

async function releaseGone(
  request: Request,
  { getSecret, clustersIn, release }: SecretDependencies,
): Promise<Result> {
  const secret = await getSecret(request);
  if (!secret) return done;
  const present = await clustersIn(request.namespace ?? "");
  const users = new Set(present.map(({ metadata }) => inUseFinalizer(metadata)));
  const gone = inUseFinalizers(secret.metadata).filter((finalizer) => !users.has(finalizer));
  if (gone.length > 0) await release(secret, gone);
  return done;
}
