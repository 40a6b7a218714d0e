import type { NestedControlPlane } from "@rookery/api";
import { clusterApiOwner, type OwnerCluster, referredKeys } from "@rookery/cluster-api";
import { type KubeObject, objectKeyOf, type Resource } from "@rookery/kube";
import {
  byOwnerUid,
  type Controller,
  type ControllerParts,
  controllerFor,
  createInformerSource,
  enqueueRequestsFromMapFunction,
  generationChanged,
  type Informer,
  type MapFunction,
  type Source,
} from "@rookery/runtime";
import { moreThanConditionsChanged, moreThanStatusChanged } from "../component/predicates.ts";
import { AuthorityExpiry } from "../metrics.ts";
import { companionSecret, leafSecret, leaves, secretNames } from "../names.ts";
import { SecretMemo } from "../pki/secret-memo.ts";
import { apiServers, controllerManagers, controlPlanes, etcds } from "../resources.ts";
import type { Tenants } from "../tenant/tenants.ts";
import { createUpload } from "../tenant/uploads.ts";
import { componentFields } from "./component.ts";
import type { WatchKind } from "./component-objects.ts";
import { controlPlaneLifecycle } from "./reconcile.ts";
import { type ControlPlaneParts, controlPlaneScope, type Secured } from "./scope.ts";
import { ownedBy } from "./secret-objects.ts";

type Shared = Pick<
  ControlPlaneParts,
  "ownerClusters" | "clock" | "secretMetadata" | "allowedHosts"
>;

export interface ControlPlaneControllerParts extends ControllerParts, Shared {
  readonly tenants: Tenants;
  readonly tenantChanges: Source;
}

const bySecret = "secret";
const byComponent = "component";

export function createControlPlaneController(
  parts: ControlPlaneControllerParts,
  concurrency: number,
): Controller {
  const { cache, secretMetadata, tenants, clock } = parts;
  const informer = cache.informerFor<NestedControlPlane>(controlPlanes);
  informer.addIndex(bySecret, secretsOf);
  informer.addIndex(byComponent, componentsOf);
  secretMetadata.addIndex(ownedBy, byOwnerUid);
  const users = usersOfComponent(informer);
  const versionOf = (namespace: string, name: string) =>
    secretMetadata.get({ namespace, name })?.metadata.resourceVersion;
  const own: ControlPlaneParts = {
    ...parts,
    memo: new SecretMemo<Secured>(versionOf, clock),
    expiry: new AuthorityExpiry(parts.metrics),
    upload: createUpload(tenants, clock),
    watchKind: (resource) => watchKind(resource),
  };
  const controller = controllerFor<NestedControlPlane>(controlPlanes, parts, {
    concurrency,
    predicates: [moreThanStatusChanged],
  })
    .watches<OwnerCluster>(
      parts.ownerClusters,
      (owner) => referredKeys(owner, owner.spec?.controlPlaneRef, controlPlanes),
      generationChanged,
    )
    .watches(etcds, users, moreThanConditionsChanged)
    .watches(apiServers, users, moreThanConditionsChanged)
    .watches(controllerManagers, users, moreThanConditionsChanged)
    .watches(secretMetadata, ({ metadata: { namespace = "", name = "" } }) =>
      informer.list({ index: { name: bySecret, value: name }, namespace }).map(objectKeyOf),
    )
    .from(parts.tenantChanges)
    .reconcile(controlPlaneLifecycle, (context) => controlPlaneScope(context, own));
  const watchKind = foreignKinds(controller, parts, users);
  return controller;
}

/** Watches each foreign kind once. */
function foreignKinds(
  controller: Controller,
  { cache, logger }: ControllerParts,
  users: MapFunction<KubeObject>,
): WatchKind {
  const watched = new Set<string>();
  const handler = enqueueRequestsFromMapFunction(users);
  return (resource: Resource) => {
    const { group, plural, kind } = resource;
    if (watched.has(`${group}/${plural}`)) return;
    watched.add(`${group}/${plural}`);
    const informer = cache.informerFor<KubeObject>(resource);
    // Not awaited: a kind that cannot be watched must not delay others.
    controller.watch(createInformerSource({ informer, handler })).catch((error: unknown) => {
      logger.error(error, "Could not watch a foreign kind", { kind });
    });
  };
}

/** Maps a component to the control planes that name it. */
export function usersOfComponent(informer: Informer<NestedControlPlane>): MapFunction<KubeObject> {
  return ({ kind, metadata: { name, namespace = "" } }) =>
    informer
      .list({ index: { name: byComponent, value: `${kind}/${name}` }, namespace })
      .map(objectKeyOf);
}

function secretsOf({ metadata }: NestedControlPlane): string[] {
  const owner = clusterApiOwner(metadata, "Cluster");
  if (!owner) return [];
  const companions = leaves.map((leaf) => companionSecret(leafSecret(owner.name, leaf)));
  return [...secretNames(owner.name), ...companions];
}

function componentsOf({ spec }: NestedControlPlane): string[] {
  return componentFields.flatMap((field) => {
    const reference = spec[field];
    return reference ? [`${reference.kind}/${reference.name}`] : [];
  });
}
