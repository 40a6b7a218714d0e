import type { VSphereClusterIdentity } from "@rookery/api";
import { objectKeyOf, type PartialObjectMetadata } from "@rookery/kube";
import {
  type Cache,
  type Controller,
  createController,
  createInformerSource,
  enqueueRequestForObject,
  enqueueRequestsFromMapFunction,
  type Informer,
  type Logger,
  type Metrics,
} from "@rookery/runtime";
import { secretNameOf } from "../credentials/resolve-identity.ts";
import { identities } from "../resources.ts";
import { reconcileIdentity } from "./reconcile.ts";
import type { IdentityDependencies } from "./scope.ts";

export interface IdentityControllerOptions {
  readonly cache: Cache;
  readonly secretMetadata: Informer<PartialObjectMetadata>;
  readonly dependencies: IdentityDependencies;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

const bySecret = "secret";

export function createIdentityController(options: IdentityControllerOptions): Controller {
  const { cache, secretMetadata, dependencies } = options;
  const informer = cache.informerFor<VSphereClusterIdentity>(identities);
  informer.addIndex(bySecret, (identity) => [secretNameOf(identity)]);
  return createController({
    name: "vsphereclusteridentity",
    sources: [
      createInformerSource({ informer, handler: enqueueRequestForObject() }),
      createInformerSource({
        informer: secretMetadata,
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
