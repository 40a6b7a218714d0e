import {
  customResourceDefinitionOf,
  type Kind,
  nestedAPIServer,
  nestedCluster,
  nestedClusterTemplate,
  nestedControllerManager,
  nestedControlPlane,
  nestedControlPlaneTemplate,
  nestedEtcd,
} from "@rookery/api";
import { managerManifests } from "@rookery/runtime";
import { validatingWebhookConfiguration } from "../webhooks/webhooks.ts";
import {
  controlPlaneNames,
  coreAccess,
  type InstallationNames,
  infrastructureNames,
  managerAccess,
  tenantRole,
} from "./access.ts";

/** The objects of the infrastructure provider, in the order in which they can be applied. */
export function infrastructureComponents(image: string): object[] {
  return componentManifests(infrastructureNames, {
    image,
    kinds: [nestedCluster, nestedClusterTemplate],
  });
}

/** The objects of the control plane provider, in this order, too. */
export function controlPlaneComponents(image: string): object[] {
  const kinds = [
    nestedAPIServer,
    nestedControllerManager,
    nestedControlPlane,
    nestedControlPlaneTemplate,
    nestedEtcd,
  ];
  return componentManifests(controlPlaneNames, { image, kinds, roles: [tenantRole()] });
}

function componentManifests(
  names: InstallationNames,
  { image, kinds, roles = [] }: ComponentOptions,
): object[] {
  const { namespace, account, access, workload, webhooks } = manager(names, image);
  const definitions = kinds.map(customResourceDefinitionOf);
  const rights = [coreAccess(names), account, ...access];
  return [namespace, ...roles, ...definitions, ...rights, ...workload, ...webhooks];
}

interface ComponentOptions {
  readonly image: string;
  readonly kinds: readonly Kind[];
  readonly roles?: readonly object[];
}

function manager(names: InstallationNames, image: string) {
  const { labels, controllers, service, validatingConfiguration: name } = names;
  return managerManifests({
    names,
    labels,
    podLabels: { ...labels, "control-plane": "controller-manager" },
    ...managerAccess(names),
    image,
    args: [
      "manager",
      "nested",
      `--controllers=${controllers}`,
      "--leader-elect",
      ...(controllers === "control-plane" ? [`--rookery-image=${image}`] : []),
      `--webhook-service=${service}`,
      `--webhook-configuration=${name}`,
    ],
    pod: { terminationGracePeriodSeconds: 30 },
    webhooks: (address) => [
      validatingWebhookConfiguration({ name, address, controllers: [controllers] }),
    ],
  });
}
