import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import {
  deepEqual,
  hasConditionStatus,
  type KubeObject,
  type PartialObjectMetadata,
} from "@rookery/kube";
import {
  type Cache,
  type ControllerBuilder,
  generationChanged,
  type Informer,
  isInScope,
  labelsChanged,
  objectMatches,
  or,
  type Predicate,
  type Request,
} from "@rookery/runtime";
import { clusters, identities, namespaces } from "../resources.ts";
import { secretNameOf } from "./resolve-identity.ts";
import {
  type CredentialsPlaces,
  isCredentialsNamespace,
  type SecretMetadata,
} from "./secret-metadata.ts";

export interface IdentityEventOptions extends CredentialsPlaces {
  readonly cache: Cache;
  readonly secretMetadata: SecretMetadata;
}

type Kind = "Secret" | "VSphereClusterIdentity";
type IdentityRef = { readonly kind: Kind; readonly name: string; readonly namespace?: string };

const byIdentity = "identity";

/** The clusters that name an account. */
export function clustersNaming(
  cache: Cache,
  { kind, name, namespace }: IdentityRef,
): readonly VSphereCluster[] {
  const informer = cache.informerFor<VSphereCluster>(clusters);
  const index = { name: byIdentity, value: `${kind}/${name}` };
  return informer.list({ index, ...(namespace && { namespace }) });
}

/**
 * Watches all that decides which account a cluster and its machines use: the account that the cluster names, the
 * Secret of that account, and the labels of the namespace. So a change takes effect in seconds.
 */
export function watchIdentities<T extends KubeObject>(
  builder: ControllerBuilder<T>,
  options: IdentityEventOptions,
  requestsOf: (cluster: VSphereCluster) => readonly Request[],
): ControllerBuilder<T> {
  const { cache, secretMetadata } = options;
  const informer = cache.informerFor<VSphereCluster>(clusters);
  informer.addIndex(byIdentity, identityKeys);
  const users = (reference: IdentityRef) => clustersNaming(cache, reference).flatMap(requestsOf);
  const usersOfIdentity = (name: string) => users({ kind: "VSphereClusterIdentity", name });
  return (
    builder
      // Every cluster writes its use on the identity, which is irrelevant for the other clusters.
      .watches<VSphereClusterIdentity>(
        identities,
        ({ metadata }) => usersOfIdentity(metadata.name ?? ""),
        or<VSphereClusterIdentity>(generationChanged, readinessChanged),
      )
      // The cache has all namespaces, and objects may be read in those of the instance alone.
      .watches<KubeObject>(
        namespaces,
        ({ metadata }) => informer.list({ namespace: metadata.name ?? "" }).flatMap(requestsOf),
        labelsChanged,
        objectMatches(({ metadata }) => isInScope(cache.scope, metadata.name ?? "")),
      )
      .watches(secretMetadata.watched, ({ metadata: { name = "", namespace = "" } }) =>
        users({ kind: "Secret", name, namespace }),
      )
      .watches(secretMetadata.credentials, (secret) =>
        identitiesWith(secret, options).flatMap(usersOfIdentity),
      )
  );
}

const readinessChanged: Predicate<VSphereClusterIdentity> = (event) =>
  event.type !== "update" || !deepEqual(readinessOf(event.objectOld), readinessOf(event.objectNew));

function readinessOf({ status }: VSphereClusterIdentity): object {
  const { instances = {}, conditions } = status ?? {};
  return { instances, isReady: hasConditionStatus(conditions, "Ready", "True") };
}

function identityKeys({ spec }: VSphereCluster): string[] {
  return spec?.identityRef ? [`${spec.identityRef.kind}/${spec.identityRef.name}`] : [];
}

/** The names of the identities of a Secret. */
function identitiesWith(
  { metadata }: PartialObjectMetadata,
  options: IdentityEventOptions,
): string[] {
  if (!isCredentialsNamespace(metadata.namespace, options)) return [];
  const informer: Informer<VSphereClusterIdentity> = options.cache.informerFor(identities);
  return informer
    .list()
    .filter((identity) => secretNameOf(identity) === metadata.name)
    .map((identity) => identity.metadata.name ?? "");
}
