import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import { deepEqual, objectKeyOf, type PartialObjectMetadata } from "@rookery/kube";
import {
  type Controller,
  type ControllerParts,
  controllerFor,
  done,
  objectMatches,
  type Predicate,
  type Request,
  type Result,
} from "@rookery/runtime";
import { connectedIdentity } from "../credentials/resolve-identity.ts";
import {
  type CredentialsPlaces,
  isCredentialsNamespace,
  isKept,
  keptIn,
  type SecretMetadata,
  usedBy,
} from "../credentials/secret-metadata.ts";
import { inUseFinalizers } from "../in-use.ts";
import { clusters, identities } from "../resources.ts";
import { clusterSecretScope, identitySecretScope, type SecretScope } from "./scope.ts";

export interface SecretControllerParts extends ControllerParts, CredentialsPlaces {
  readonly secretMetadata: SecretMetadata;
}

/** Releases Secrets of clusters that are gone: clusters that were moved, or lost their own finalizer. */
export function createSecretController(parts: SecretControllerParts): Controller {
  const { watched } = parts.secretMetadata;
  const isUsed = objectMatches<PartialObjectMetadata>(
    ({ metadata }) => inUseFinalizers(metadata).length > 0,
  );
  const options = { name: "vspherecluster-secret", predicates: [isUsed] };
  return controllerFor<PartialObjectMetadata>(watched, parts, options)
    .watches<VSphereCluster>(
      clusters,
      ({ metadata }) => usedBy(watched, metadata).map(objectKeyOf),
      ({ type }) => type === "delete",
    )
    .reconcile(releaseGone, clusterSecretScope);
}

/** Releases Secrets of identities once no cluster of the instance uses the identity. */
export function createIdentitySecretController(parts: SecretControllerParts): Controller {
  const { credentials } = parts.secretMetadata;
  const isKeptHere = objectMatches<PartialObjectMetadata>(({ metadata }) =>
    isKept(metadata, parts),
  );
  const allKept = () => keptIn(credentials).map(objectKeyOf);
  const options = { name: "vsphereclusteridentity-secret", predicates: [isKeptHere] };
  return (
    controllerFor<PartialObjectMetadata>(credentials, parts, options)
      // A Secret in the own namespace replaces the Secret of the same name in the former one.
      .watches<PartialObjectMetadata>(credentials, ({ metadata: { name, namespace } }) =>
        isCredentialsNamespace(namespace, parts)
          ? allKept().filter((key) => key.name === name)
          : [],
      )
      .watches<VSphereCluster>(clusters, allKept, connectionChanged)
      .watches<VSphereClusterIdentity>(identities, allKept, usersChanged)
      .reconcile(releaseGone, (context) => identitySecretScope(context, parts))
  );
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

async function releaseGone(
  request: Request,
  { get, goneUsers, release }: SecretScope,
): Promise<Result> {
  const secret = await get(request);
  const gone = secret ? await goneUsers(secret) : [];
  if (secret && gone.length > 0) await release(secret, gone);
  return done;
}
