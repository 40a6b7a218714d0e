import type { KubeObject, Resource } from "@rookery/kube";
import {
  type Validator,
  validatingConfiguration,
  validatingWebhook,
  type Webhook,
  type WebhookAddress,
  type WebhookConfiguration,
} from "@rookery/runtime";
import { type ControllerSet, controllerSets } from "../flags.ts";
import { type Allowances, noAllowances } from "../policy/allowances.ts";
import {
  apiServers,
  clusters,
  clusterTemplates,
  controllerManagers,
  controlPlanes,
  controlPlaneTemplates,
  etcds,
} from "../resources.ts";
import { clusterTemplateValidator, clusterValidator } from "./cluster.ts";
import { componentValidators } from "./components.ts";
import { controlPlaneTemplateValidator, controlPlaneValidator } from "./control-plane.ts";

interface ValidatedKind {
  readonly resource: Resource;
  readonly webhook: Webhook;
}

/** The validated kinds of the providers. Each object is validated by itself. */
function validatedKinds(
  controllers: readonly ControllerSet[],
  allowances: Allowances,
): ValidatedKind[] {
  const components = componentValidators(allowances);
  const kinds: Record<ControllerSet, readonly ValidatedKind[]> = {
    infrastructure: [
      validated(clusters, clusterValidator),
      validated(clusterTemplates, clusterTemplateValidator),
    ],
    "control-plane": [
      validated(controlPlanes, controlPlaneValidator),
      validated(controlPlaneTemplates, controlPlaneTemplateValidator),
      validated(etcds, components.etcd),
      validated(apiServers, components.apiServer),
      validated(controllerManagers, components.controllerManager),
    ],
  };
  return controllers.flatMap((one) => kinds[one]);
}

function validated<T extends KubeObject>(
  resource: Resource,
  validator: Validator<T>,
): ValidatedKind {
  return { resource, webhook: validatingWebhook(resource, validator) };
}

export function nestedWebhooks(
  controllers: readonly ControllerSet[],
  allowances: Allowances,
): Webhook[] {
  return validatedKinds(controllers, allowances).map(({ webhook }) => webhook);
}

export interface WebhookConfigurationOptions {
  readonly name: string;
  readonly address: WebhookAddress;
  /** Both providers by default. */
  readonly controllers?: readonly ControllerSet[];
}

/** The ValidatingWebhookConfiguration of the provider. */
export function validatingWebhookConfiguration(
  options: WebhookConfigurationOptions,
): WebhookConfiguration {
  const { name, address, controllers = controllerSets } = options;
  const operations = ["CREATE", "UPDATE"] as const;
  const kinds = validatedKinds(controllers, noAllowances);
  const rules = kinds.map(({ resource }) => ({ resource, operations }));
  return validatingConfiguration(name, address, rules);
}
