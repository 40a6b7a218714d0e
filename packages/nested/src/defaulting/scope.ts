import type { NestedControlPlane } from "@rookery/api";
import { ignoreAlreadyExists } from "@rookery/client";
import type { OwnerCluster } from "@rookery/cluster-api";
import { type Clock, type ObjectKey, objectKeyOf, type Resource } from "@rookery/kube";
import {
  createResourceCommitter,
  type LifecycleScope,
  type ReconcileContext,
} from "@rookery/runtime";
import { type NestedParts, ownerReader } from "../parts.ts";
import { apiServers, controllerManagers, controlPlanes, etcds } from "../resources.ts";
import type { DefaultComponent, DefaultComponentManifest } from "./default-components.ts";

type Kind = DefaultComponentManifest["kind"];

export interface DefaultingScope extends LifecycleScope<NestedControlPlane> {
  readonly getOwner: (controlPlane: NestedControlPlane) => Promise<OwnerCluster | undefined>;
  /** Creates a component, or returns the existing one of its name unchanged. */
  readonly createComponent: (component: DefaultComponentManifest) => Promise<DefaultComponent>;
  readonly getComponent: (kind: Kind, key: ObjectKey) => Promise<DefaultComponent | undefined>;
  readonly commitComponent: (
    original: DefaultComponent,
    desired: DefaultComponent,
  ) => Promise<unknown>;
  readonly clock: Clock;
}

const resources: Record<Kind, Resource> = {
  NestedEtcd: etcds,
  NestedAPIServer: apiServers,
  NestedControllerManager: controllerManagers,
};

export function defaultingScope(
  context: ReconcileContext<NestedControlPlane>,
  parts: NestedParts,
): DefaultingScope {
  const { client, cache, get, commit } = context;
  const resourceOf = (kind: Kind) => client.resource<DefaultComponent>(resources[kind]);
  return {
    get,
    commit,
    getOwner: ownerReader(controlPlanes, context, parts),
    createComponent: async (manifest) => {
      const resource = resourceOf(manifest.kind);
      const component = manifest as DefaultComponent;
      const created = await ignoreAlreadyExists(resource.create(component));
      return created ?? resource.get(objectKeyOf(component));
    },
    getComponent: (kind, key) => cache.get<DefaultComponent>(resources[kind], key),
    commitComponent: (original, desired) =>
      createResourceCommitter(resourceOf(original.kind as Kind))(original, desired),
    clock: parts.clock,
  };
}
