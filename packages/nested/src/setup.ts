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
import { apiServerKind } from "./api-server/controller.ts";
import { createClusterController } from "./cluster/controller.ts";
import { createComponentController } from "./component/controller.ts";
import { defaultImageRepository, defaultRookeryImage } from "./component/images.ts";
import { createControlPlaneController } from "./control-plane/controller.ts";
import { controllerManagerKind } from "./controller-manager/controller.ts";
import { createDefaultingController } from "./defaulting/controller.ts";
import { etcdKind } from "./etcd/controller.ts";
import { type ControllerSet, controllerSets } from "./flags.ts";
import type { NestedParts } from "./parts.ts";
import { type Allowances, noAllowances } from "./policy/allowances.ts";
import { secrets, validatingWebhookConfigurations } from "./resources.ts";
import { Tenants } from "./tenant/tenants.ts";
import { nestedWebhooks } from "./webhooks/webhooks.ts";

export interface NestedOptions {
  readonly controllers?: readonly ControllerSet[];
  /** The repository of images that no spec names. */
  readonly imageRepository?: string;
  /** The image of API servers of the profile light; Rookery's image of this release by default. */
  readonly rookeryImage?: string;
  /** Fields of specs that are closed by default. */
  readonly allowances?: Partial<Allowances>;
  /** The number of NestedClusters that are reconciled at a time. */
  readonly clusterConcurrency?: number;
  readonly controlPlaneConcurrency?: number;
  /** For each kind of component. */
  readonly componentConcurrency?: number;
}

export interface NestedWebhookOptions extends Pick<NestedOptions, "controllers" | "allowances"> {
  /** The Service of the webhooks. */
  readonly service: string;
  /** The ValidatingWebhookConfiguration that gets the CA bundle. */
  readonly configuration: string;
}

/** Serves the webhooks of the chosen controllers. */
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

const defaults: Required<NestedOptions> = {
  controllers: controllerSets,
  imageRepository: defaultImageRepository,
  rookeryImage: defaultRookeryImage,
  allowances: noAllowances,
  clusterConcurrency: 10,
  controlPlaneConcurrency: 10,
  componentConcurrency: 10,
};

/** Adds the controllers to a manager. Dispose of the result after the manager has stopped. */
export async function setupNested(
  parts: Parts,
  options: NestedOptions = {},
): Promise<AsyncDisposable> {
  const settings = { ...defaults, ...options };
  const { controllers, clusterConcurrency } = settings;
  const allowances = { ...noAllowances, ...settings.allowances };
  const ownerClusters = await parts.client.mapper.resourceForKind(clusterKind);
  const shared = { ...parts, ...settings, allowances, ownerClusters, clock: () => new Date() };
  if (controllers.includes("infrastructure")) {
    parts.manager.add(createClusterController(shared, clusterConcurrency));
  }
  return controllers.includes("control-plane")
    ? addControlPlanes(shared)
    : { [Symbol.asyncDispose]: async () => {} };
}

interface Wired extends Parts, NestedParts, Required<NestedOptions> {
  readonly allowances: Allowances;
}

function addControlPlanes(parts: Wired): Tenants {
  const { manager, cache, allowances, controlPlaneConcurrency, componentConcurrency } = parts;
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
  const tenantChanges = channel.source;
  const allowedHosts = allowances.hosts;
  const controlPlaneParts = { ...parts, secretMetadata, tenants, tenantChanges, allowedHosts };
  manager.add(createControlPlaneController(controlPlaneParts, controlPlaneConcurrency));
  manager.add(createDefaultingController(parts, controlPlaneConcurrency));
  const serves = (controlPlane: WithMetadata) =>
    tenants.hurry(formatObjectKey(objectKeyOf(controlPlane)));
  const { rookeryImage } = parts;
  const shared = { ...parts, secretMetadata };
  manager.add(createComponentController(etcdKind, shared, componentConcurrency));
  manager.add(
    createComponentController(
      apiServerKind({ rookeryImage, serves }),
      shared,
      componentConcurrency,
    ),
  );
  manager.add(createComponentController(controllerManagerKind, shared, componentConcurrency));
  return tenants;
}
