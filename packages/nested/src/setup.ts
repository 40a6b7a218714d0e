import { clusterKind } from "@rookery/cluster-api";
import { formatObjectKey, objectKeyOf, parseObjectKey } from "@rookery/kube";
import {
  createEventChannel,
  enqueueRequestForObject,
  injectIntoWebhooks,
  type Provider,
  type WebhookConfiguration,
  type WithMetadata,
} from "@rookery/runtime";
import { createApiServerController } from "./api-server/controller.ts";
import { createClusterController } from "./cluster/controller.ts";
import { defaultImageRepository, defaultRookeryImage } from "./component/images.ts";
import type { ComponentParts } from "./component/scope.ts";
import { createControlPlaneController } from "./control-plane/controller.ts";
import { createControllerManagerController } from "./controller-manager/controller.ts";
import { createDefaultingController } from "./defaulting/controller.ts";
import { createEtcdController } from "./etcd/controller.ts";
import { type ControllerSet, controllerSets } from "./flags.ts";
import type { NestedParts } from "./parts.ts";
import { type Allowances, noAllowances } from "./policy/allowances.ts";
import { secrets, validatingWebhookConfigurations } from "./resources.ts";
import { Tenants } from "./tenant/tenants.ts";
import { nestedWebhooks } from "./webhooks/webhooks.ts";

export interface NestedOptions {
  /** Which of both providers to be; both where absent. */
  readonly controllers?: readonly ControllerSet[];
  /** Where images come from that components do not name. registry.k8s.io. */
  readonly imageRepository?: string;
  /** The image of API servers of the profile light; Rookery's image of this release. */
  readonly rookeryImage?: string;
  /** What specs may contain beside the fields that are harmless: nothing. */
  readonly allowances?: Partial<Allowances>;
  /** How many NestedClusters are reconciled at a time. 10. */
  readonly clusterConcurrency?: number;
  /** How many NestedControlPlanes are reconciled at a time. 10. */
  readonly controlPlaneConcurrency?: number;
  /** How many components of each kind are reconciled at a time. 10. */
  readonly componentConcurrency?: number;
}

export interface NestedWebhookOptions extends Pick<NestedOptions, "controllers" | "allowances"> {
  /** The Service that API servers call. */
  readonly service: string;
  /** The ValidatingWebhookConfiguration that takes the authorities. */
  readonly configuration: string;
}

/** Serves the webhooks of the controllers that the flags choose, with a certificate of their own. */
export function setupNestedWebhooks(
  { client, addWebhooks }: Pick<Provider, "client" | "addWebhooks">,
  { service, configuration, controllers = controllerSets, allowances }: NestedWebhookOptions,
): void {
  const configurations = client.resource<WebhookConfiguration>(validatingWebhookConfigurations);
  const server = addWebhooks({
    service,
    publish: injectIntoWebhooks(configurations, configuration),
  });
  const webhooks = nestedWebhooks(controllers, { ...noAllowances, ...allowances });
  for (const webhook of webhooks) server?.register(webhook);
}

type Parts = Pick<Provider, "client" | "cache" | "manager" | "metrics" | "logger" | "recorder">;

/**
 * Adds the controllers of the provider to a manager. Dispose of the result, the connections to tenants, when
 * the manager has stopped.
 */
export async function setupNested(
  parts: Parts,
  options: NestedOptions = {},
): Promise<AsyncDisposable> {
  const { client } = parts;
  const { controllers = controllerSets } = options;
  const ownerClusters = await client.mapper.resourceForKind(clusterKind);
  const { hosts: allowedHosts } = { ...noAllowances, ...options.allowances };
  const wired = { ...parts, ownerClusters, allowedHosts, clock: () => new Date() };
  if (controllers.includes("infrastructure")) {
    parts.manager.add(createClusterController(wired, options.clusterConcurrency ?? 10));
  }
  if (!controllers.includes("control-plane")) return { [Symbol.asyncDispose]: async () => {} };
  return addControlPlanes(wired, options);
}

interface Wired extends Parts, NestedParts {
  readonly allowedHosts: readonly string[];
}

function addControlPlanes(parts: Wired, options: NestedOptions): Tenants {
  const { controlPlaneConcurrency: concurrency = 10 } = options;
  const { manager, cache } = parts;
  const channel = createEventChannel<WithMetadata>({
    name: "tenants",
    handler: enqueueRequestForObject(),
  });
  const tenants = new Tenants({
    onChange: (key) => {
      channel.send({ type: "generic", object: { metadata: parseObjectKey(key) } });
    },
  });
  const secretMetadata = cache.metadataInformerFor(secrets);
  const shared = { ...parts, secretMetadata, tenants };
  manager.add(
    createControlPlaneController({ ...shared, tenantChanges: channel.source }, concurrency),
  );
  manager.add(createDefaultingController(parts, concurrency));
  addComponents(shared, options);
  return tenants;
}

function addComponents(
  parts: Wired & Pick<ComponentParts, "secretMetadata"> & { readonly tenants: Tenants },
  options: NestedOptions,
): void {
  const { manager, tenants } = parts;
  const { componentConcurrency: concurrency = 10 } = options;
  const { imageRepository = defaultImageRepository } = options;
  const { rookeryImage = defaultRookeryImage } = options;
  const allowances = { ...noAllowances, ...options.allowances };
  const shared = { ...parts, imageRepository, allowances };
  const serves = (controlPlane: WithMetadata) =>
    tenants.hurry(formatObjectKey(objectKeyOf(controlPlane)));
  manager.add(createEtcdController(shared, concurrency));
  manager.add(createApiServerController({ ...shared, rookeryImage, serves }, concurrency));
  manager.add(createControllerManagerController(shared, concurrency));
}
