import { parseApiVersion } from "@rookery/kube";
import type { Component } from "../documents/documents.ts";

/** The fields of components that rendering reads and writes; it keeps all others. */
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

/** The way of the API server to a webhook, to a conversion or to an aggregated API. */
export interface ClientConfig {
  readonly service?: { readonly name?: string; readonly namespace?: string };
  readonly caBundle?: string;
}

export interface WebhookConfiguration extends Component {
  readonly webhooks?: readonly { readonly name?: string; readonly clientConfig?: ClientConfig }[];
}

export interface Binding extends Component {
  readonly subjects?: readonly { readonly kind?: string; readonly namespace?: string }[];
}

export interface Crd extends Component {
  readonly spec: {
    readonly conversion?: {
      readonly webhook?: { readonly clientConfig?: ClientConfig };
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

/** The component with each of its client configurations changed. */
export function mapClientConfigs(
  component: Component,
  change: (config: ClientConfig, field: string) => ClientConfig,
): Component {
  if (isWebhookConfiguration(component)) {
    const webhooks = component.webhooks?.map((webhook, index) => {
      const field = `webhooks[${index}].clientConfig.service`;
      const { clientConfig } = webhook;
      return clientConfig ? { ...webhook, clientConfig: change(clientConfig, field) } : webhook;
    });
    return { ...component, ...(webhooks && { webhooks }) };
  }
  if (component.kind === "APIService") {
    return { ...component, spec: change(Object(component.spec), "spec.service") };
  }
  const conversion = isCrd(component) ? component.spec.conversion : undefined;
  const clientConfig = conversion?.webhook?.clientConfig;
  if (!isCrd(component) || !clientConfig) return component;
  const changed = change(clientConfig, "spec.conversion.webhook");
  const webhook = { ...conversion.webhook, clientConfig: changed };
  return { ...component, spec: { ...component.spec, conversion: { ...conversion, webhook } } };
}

/** The workload with changes of the spec of its pods. */
export function withPodSpec(workload: Workload, changes: PodSpec): Workload {
  const { spec } = workload;
  const template = { ...spec.template, spec: { ...spec.template.spec, ...changes } };
  return { ...workload, spec: { ...spec, template } };
}

/** The workload with each of its containers changed. */
export function mapContainers(
  workload: Workload,
  change: (container: Container) => Container,
): Workload {
  const { containers, initContainers } = workload.spec.template.spec;
  return withPodSpec(workload, {
    ...(containers && { containers: containers.map(change) }),
    ...(initContainers && { initContainers: initContainers.map(change) }),
  });
}

export function groupOf(component: Component): string {
  return parseApiVersion(component.apiVersion).group;
}

/** "Deployment capi-system/capi-controller-manager", for people. */
export function describeComponent({ kind, metadata }: Component): string {
  const place = metadata.namespace ? `${metadata.namespace}/` : "";
  return `${kind} ${place}${metadata.name}`;
}
