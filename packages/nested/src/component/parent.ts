import type {
  NestedAPIServer,
  NestedControllerManager,
  NestedControlPlane,
  NestedEtcd,
} from "@rookery/api";
import { type ContractReference, type OwnerCluster, refersTo } from "@rookery/cluster-api";
import { controllerOf, type KubeObject, keyBeside, type Resource } from "@rookery/kube";
import type { ReconcileCache, ReconcileContext } from "@rookery/runtime";
import type { ComponentObject } from "../component-object.ts";
import { ComponentError } from "../errors.ts";
import type { Component } from "../names.ts";
import { type NestedParts, ownerReader } from "../parts.ts";
import { apiServers, controllerManagers, controlPlanes, etcds } from "../resources.ts";
import { desiredVersion } from "./channels.ts";
import { isSameVersion } from "./skew.ts";

/** The control plane that a component belongs to. */
export interface Parent {
  readonly controlPlane: NestedControlPlane;
  /** The Cluster that owns and names the control plane. */
  readonly owner: OwnerCluster;
  /** The name of the Cluster, and the prefix of the names of all objects. */
  readonly cluster: string;
  readonly namespace: string;
}

/** Finds the control plane of a component, if its Cluster names it. */
export async function parentOf(
  component: KubeObject,
  context: Pick<ReconcileContext<KubeObject>, "cache">,
  parts: NestedParts,
): Promise<Parent | undefined> {
  const reference = controllerOf(component);
  if (!reference || !refersTo(reference, controlPlanes)) return undefined;
  const key = keyBeside(component, reference.name);
  const controlPlane = await context.cache.get<NestedControlPlane>(controlPlanes, key);
  if (controlPlane?.metadata.uid !== reference.uid) return undefined;
  const owner = await ownerReader(controlPlanes, context, parts)(controlPlane);
  const { namespace = "" } = component.metadata;
  return owner && { controlPlane, owner, cluster: owner.metadata.name ?? "", namespace };
}

/** The components of a control plane that are of our kinds. */
export interface Siblings {
  readonly etcd: NestedEtcd | undefined;
  readonly apiServer: NestedAPIServer | undefined;
  readonly controllerManager: NestedControllerManager | undefined;
}

/** Finds the components that a control plane names. */
export async function siblingsOf(
  { controlPlane: { spec }, namespace }: Parent,
  cache: Pick<ReconcileCache, "get">,
): Promise<Siblings> {
  const find = async <T extends KubeObject>(resource: Resource, reference?: ContractReference) =>
    refersTo(reference, resource)
      ? cache.get<T>(resource, { namespace, name: reference.name })
      : undefined;
  return {
    etcd: await find<NestedEtcd>(etcds, spec.etcd),
    apiServer: await find<NestedAPIServer>(apiServers, spec.apiserver),
    controllerManager: await find(controllerManagers, spec.controllerManager),
  };
}

/** Whether the API server of a control plane is of our kind, also before it exists. */
export function namesApiServer({ controlPlane: { spec } }: Parent): boolean {
  return refersTo(spec.apiserver, apiServers);
}

/** Why a component does not run its desired version yet; undefined if it does. */
export function whyUnsettled(component: Component, object: ComponentObject): string | undefined {
  const { status } = object;
  const name = `${object.kind} ${object.metadata.name}`;
  const wanted = wantedVersion(component, object);
  if (wanted === undefined || !isSameVersion(status?.version, wanted)) {
    const runs = status?.version ?? "nothing yet";
    return `${name} has to run ${wanted ?? "a known version"} first; it runs ${runs}`;
  }
  return status?.ready ? undefined : `${name} is not ready`;
}

/** Undefined for an unknown channel, which the conditions of the component report. */
export function wantedVersion(component: Component, { spec }: ComponentObject): string | undefined {
  try {
    return desiredVersion(component, spec);
  } catch (error) {
    if (error instanceof ComponentError) return undefined;
    throw error;
  }
}
