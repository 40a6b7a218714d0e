import { parseApiVersion } from "@rookery/kube";
import type { Component } from "../documents/documents.ts";

/** The parts of components that rendering reads and writes. What is not named here is kept. */
export interface Container {
  readonly name?: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string }[];
  readonly ports?: readonly { readonly name?: string; readonly containerPort?: number }[];
  readonly volumeMounts?: readonly { readonly name?: string; readonly mountPath?: string }[];
  readonly [field: string]: unknown;
}

export interface PodSpec {
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly [field: string]: unknown;
}

export interface Workload extends Component {
  readonly spec: {
    readonly replicas?: number;
    readonly template: { readonly spec: PodSpec; readonly [field: string]: unknown };
    readonly [field: string]: unknown;
  };
}

interface ServiceReference {
  readonly name?: string;
  readonly namespace?: string;
}

export interface WebhookConfiguration extends Component {
  readonly webhooks?: readonly {
    readonly name?: string;
    readonly clientConfig?: { readonly service?: ServiceReference };
  }[];
}

export interface Binding extends Component {
  readonly subjects?: readonly { readonly kind?: string; readonly namespace?: string }[];
}

export interface Crd extends Component {
  readonly spec: {
    readonly conversion?: {
      readonly webhook?: { readonly clientConfig?: { readonly service?: ServiceReference } };
    };
    readonly [field: string]: unknown;
  };
}

/** Deployments, DaemonSets, StatefulSets and Jobs with a pod template. */
export function isWorkload(component: Component): component is Workload {
  const { template } = Object(component.spec) as Partial<Workload["spec"]>;
  const isKind = /^(Deployment|DaemonSet|StatefulSet|Job)$/.test(component.kind);
  return isKind && typeof template?.spec === "object" && template.spec !== null;
}

/** All containers of a workload's pods, init containers last. */
export function containersOf({ spec }: Workload): readonly Container[] {
  const { containers = [], initContainers = [] } = spec.template.spec;
  return [...containers, ...initContainers];
}

export function isDeployment(component: Component): component is Workload {
  const isKind = component.kind === "Deployment" && groupOf(component) === "apps";
  return isKind && isWorkload(component);
}

export function isWebhookConfiguration(component: Component): component is WebhookConfiguration {
  return /^(Mutating|Validating)WebhookConfiguration$/.test(component.kind);
}

export function isBinding(component: Component): component is Binding {
  return component.kind === "RoleBinding" || component.kind === "ClusterRoleBinding";
}

export function isCrd(component: Component): component is Crd {
  return component.kind === "CustomResourceDefinition" && typeof component.spec === "object";
}

export function groupOf(component: Component): string {
  return parseApiVersion(component.apiVersion).group;
}

/** "Deployment capi-system/capi-controller-manager", for people. */
export function describeComponent({ kind, metadata }: Component): string {
  const place = metadata.namespace ? `${metadata.namespace}/` : "";
  return `${kind} ${place}${metadata.name}`;
}
