import type { NestedControlPlane } from "@rookery/api";
import { type Condition, getCondition, type KubeObject } from "@rookery/kube";
import { apiServers, controllerManagers, etcds } from "../resources.ts";

/** The fields of a control plane's spec that name its components, in the order of their start. */
export const componentFields = ["etcd", "apiserver", "controllerManager"] as const;

export type ComponentField = (typeof componentFields)[number];

export type ComponentReference = NonNullable<NestedControlPlane["spec"][ComponentField]>;

/** A component of any kind, as far as its control plane looks at it. */
export interface ComponentObject extends KubeObject {
  readonly spec?: {
    readonly serviceCidr?: string;
    readonly certSANs?: readonly string[];
    readonly service?: { readonly host?: string; readonly port?: number };
  };
  readonly status?: {
    readonly ready?: boolean;
    readonly version?: string;
    readonly failureMessage?: string;
    readonly addresses?: readonly EtcdAddress[];
    readonly conditions?: readonly Condition[];
  };
}

interface EtcdAddress {
  readonly ip?: string;
  readonly hostname?: string;
  readonly port: number;
}

export type Components = Partial<Record<ComponentField, ComponentObject>>;

const ownKinds: readonly string[] = [etcds, apiServers, controllerManagers].map(
  ({ group, version, kind }) => `${group}/${version}/${kind}`,
);

/**
 * Whether a component says that it is ready. A foreign kind that says nothing about it is taken at
 * the word of the API server, which does not answer without it; ours say so when they are.
 */
export function isReady({ apiVersion, kind, status }: ComponentObject): boolean {
  if (status?.ready !== undefined) return status.ready;
  if (ownKinds.includes(`${apiVersion}/${kind}`)) return false;
  const condition =
    getCondition(status?.conditions, "Ready") ?? getCondition(status?.conditions, "Available");
  return condition === undefined ? true : condition.status === "True";
}
