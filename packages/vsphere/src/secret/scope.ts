import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import { ignoreNotFound } from "@rookery/client";
import { type KubeObject, objectKeyOf, type PartialObjectMetadata } from "@rookery/kube";
import type { LifecycleScope, ReconcileContext } from "@rookery/runtime";
import { connectedIdentity } from "../credentials/resolve-identity.ts";
import { inUseFinalizer, inUseFinalizers, secretFinalizer, secretFinalizers } from "../in-use.ts";
import type { VSphereParts } from "../parts.ts";
import { clusters, identities, secrets } from "../resources.ts";

/** What one reconcile of a Secret needs. */
export interface SecretScope extends Pick<LifecycleScope<PartialObjectMetadata>, "get"> {
  /** The finalizers of this controller on the Secret whose users are gone. */
  readonly goneUsers: (secret: PartialObjectMetadata) => Promise<readonly string[]>;
  /** Removes these finalizers; a Secret that is gone, or another of its name, is left alone. */
  readonly release: (secret: PartialObjectMetadata, gone: readonly string[]) => Promise<void>;
}

type Context = ReconcileContext<PartialObjectMetadata>;

/** The scope of a Secret of clusters. */
export function clusterSecretScope(context: Context): SecretScope {
  const { cache, get } = context;
  return {
    get,
    goneUsers: async ({ metadata }) => {
      const { namespace = "" } = metadata;
      const present = await cache.list<VSphereCluster>(clusters, { namespace });
      const users = new Set(present.map((cluster) => inUseFinalizer(cluster.metadata)));
      return inUseFinalizers(metadata).filter((finalizer) => !users.has(finalizer));
    },
    release: removeFinalizers(context),
  };
}

/** The scope of a Secret of identities. */
export function identitySecretScope(
  context: Context,
  { credentialsNamespace }: Pick<VSphereParts, "credentialsNamespace">,
): SecretScope {
  const { client, cache, get } = context;
  return {
    get,
    goneUsers: async ({ metadata }) => {
      const kept = secretFinalizers(metadata, credentialsNamespace);
      const own = { namespace: credentialsNamespace, name: metadata.name ?? "" };
      const isFormer = metadata.namespace !== credentialsNamespace;
      if (isFormer && (await get(own))) return kept;
      const present = await cache.list<VSphereCluster>(clusters, {});
      // The cache may lack a cluster that just began to use an identity.
      const { items } = await client.resource<VSphereClusterIdentity>(identities).list();
      const needed = usedIdentities(present, items).map((name) =>
        secretFinalizer(name, credentialsNamespace),
      );
      return kept.filter((finalizer) => !needed.includes(finalizer));
    },
    release: removeFinalizers(context),
  };
}

/** The names of the identities that clusters hold, or were connected with, whether they exist or not. */
function usedIdentities(
  present: readonly VSphereCluster[],
  all: readonly VSphereClusterIdentity[],
): string[] {
  const users = new Set(present.map(({ metadata }) => inUseFinalizer(metadata)));
  const held = all.filter(({ metadata }) =>
    inUseFinalizers(metadata).some((finalizer) => users.has(finalizer)),
  );
  const connected = present.flatMap((cluster) => connectedIdentity(cluster) ?? []);
  return [...held.map(({ metadata }) => metadata.name ?? ""), ...connected];
}

function removeFinalizers({ client }: Context): SecretScope["release"] {
  const secretClient = client.resource<KubeObject>(secrets);
  return async (secret, gone) => {
    const { finalizers = [], uid, resourceVersion } = secret.metadata;
    const left = finalizers.filter((one) => !gone.includes(one));
    const patch = { metadata: { uid, resourceVersion, finalizers: left } };
    await ignoreNotFound(secretClient.patch(objectKeyOf(secret), { type: "merge", patch }));
  };
}
