import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import {
  deepEqual,
  hasConditionStatus,
  type KubeObject,
  type PartialObjectMetadata,
} from "@rookery/kube";
import {
  type Cache,
  createInformerSource,
  enqueueRequestsFromMapFunction,
  generationChanged,
  type Informer,
  isInScope,
  labelsChanged,
  objectMatches,
  or,
  type Predicate,
  type Request,
  type Source,
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
 * All that decides as whom a cluster and its machines are made, so that a change takes effect in
 * seconds: the account that it names, the Secret of that, and the labels of its namespace.
 */
export function identityEventSources(
  options: IdentityEventOptions,
  requestsOf: (cluster: VSphereCluster) => readonly Request[],
): readonly Source[] {
  const { cache, secretMetadata } = options;
  const informer = cache.informerFor<VSphereCluster>(clusters);
  informer.addIndex(byIdentity, identityKeys);
  const users = (reference: IdentityRef) => clustersNaming(cache, reference).flatMap(requestsOf);
  const usersOfIdentity = (name: string) => users({ kind: "VSphereClusterIdentity", name });
  return [
    createInformerSource({
      informer: cache.informerFor<VSphereClusterIdentity>(identities),
      // Every cluster that uses an identity writes so on it, which is no news for the others.
      predicates: [or<VSphereClusterIdentity>(generationChanged, readinessChanged)],
      handler: enqueueRequestsFromMapFunction(({ metadata }) =>
        usersOfIdentity(metadata.name ?? ""),
      ),
    }),
    createInformerSource({
      informer: cache.informerFor<KubeObject>(namespaces),
      // All namespaces are heard of, and objects may be read in those of the instance alone.
      predicates: [
        labelsChanged,
        objectMatches(({ metadata }) => isInScope(cache.scope, metadata.name ?? "")),
      ],
      handler: enqueueRequestsFromMapFunction(({ metadata }) =>
        informer.list({ namespace: metadata.name ?? "" }).flatMap(requestsOf),
      ),
    }),
    createInformerSource({
      informer: secretMetadata.watched,
      handler: enqueueRequestsFromMapFunction(({ metadata: { name = "", namespace = "" } }) =>
        users({ kind: "Secret", name, namespace }),
      ),
    }),
    createInformerSource({
      informer: secretMetadata.credentials,
      handler: enqueueRequestsFromMapFunction((secret) =>
        identitiesWith(secret, options).flatMap(usersOfIdentity),
      ),
    }),
  ];
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

/** The identities whose Secret it is. */
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
