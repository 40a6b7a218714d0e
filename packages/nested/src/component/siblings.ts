import type { NestedAPIServer, NestedControllerManager, NestedEtcd } from "@rookery/api";
import type { KubeObject, Resource } from "@rookery/kube";
import type { ReconcileCache } from "@rookery/runtime";
import type { ComponentObject } from "../component-object.ts";
import { ComponentError } from "../errors.ts";
import type { Component } from "../names.ts";
import { apiServers, controllerManagers, etcds } from "../resources.ts";
import { desiredVersion } from "./channels.ts";
import type { Home } from "./home.ts";
import { isSameVersion } from "./version.ts";

/** The components of a control plane that are of our kinds; foreign ones are not looked into. */
export interface Siblings {
  readonly etcd: NestedEtcd | undefined;
  readonly apiServer: NestedAPIServer | undefined;
  readonly controllerManager: NestedControllerManager | undefined;
}

interface Reference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** Finds the components that a control plane names. */
export async function siblingsOf(
  { controlPlane: { spec }, namespace }: Home,
  cache: Pick<ReconcileCache, "get">,
): Promise<Siblings> {
  const find = async <T extends KubeObject>(resource: Resource, reference?: Reference) => {
    const isOurs = reference?.apiVersion.startsWith(`${resource.group}/`);
    if (!reference || !isOurs || reference.kind !== resource.kind) return undefined;
    return cache.get<T>(resource, { namespace, name: reference.name });
  };
  return {
    etcd: await find<NestedEtcd>(etcds, spec.etcd),
    apiServer: await find<NestedAPIServer>(apiServers, spec.apiserver),
    controllerManager: await find<NestedControllerManager>(
      controllerManagers,
      spec.controllerManager,
    ),
  };
}

/** Whether a control plane's API server is to be one of ours, there or not. */
export function namesApiServer({ controlPlane: { spec } }: Home): boolean {
  const { apiVersion = "", kind } = spec.apiserver ?? {};
  return apiVersion.startsWith(`${apiServers.group}/`) && kind === apiServers.kind;
}

/** Why a component does not run its desired version yet; undefined where it does. */
export function whyUnsettled(component: Component, object: ComponentObject): string | undefined {
  const { status } = object;
  const who = `${object.kind} ${object.metadata.name}`;
  const wanted = wantedVersion(component, object);
  if (wanted === undefined || !isSameVersion(status?.version, wanted)) {
    const runs = status?.version ?? "nothing yet";
    return `${who} has to run ${wanted ?? "a version that there is"} first; it runs ${runs}`;
  }
  return status?.ready ? undefined : `${who} is not ready`;
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
