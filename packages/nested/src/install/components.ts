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
  return componentManifests(infrastructureNames, [nestedCluster, nestedClusterTemplate], image);
}

/** The objects of the control plane provider. */
export function controlPlaneComponents(image: string): object[] {
  const kinds = [
    nestedAPIServer,
    nestedControllerManager,
    nestedControlPlane,
    nestedControlPlaneTemplate,
    nestedEtcd,
  ];
  const [namespace, ...others] = componentManifests(controlPlaneNames, kinds, image);
  return [namespace ?? {}, tenantRole(), ...others];
}

function componentManifests(
  names: InstallationNames,
  kinds: readonly Kind[],
  image: string,
): object[] {
  const { namespace, account, access, workload, webhooks } = manager(names, image);
  return [
    namespace,
    ...kinds.map(customResourceDefinitionOf),
    coreAccess(names),
    account,
    ...access,
    ...workload,
    ...webhooks,
  ];
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
