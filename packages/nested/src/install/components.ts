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
import { restrictedNamespace } from "@rookery/kube";
import { validatingWebhookConfiguration } from "../webhooks/configuration.ts";
import { coreAccess, managerAccess } from "./manager-access.ts";
import { controlPlaneNames, type InstallationNames, infrastructureNames } from "./names.ts";
import { tenantRole } from "./tenant-role.ts";
import { workload } from "./workload.ts";

/** Everything that the infrastructure provider consists of, in the order in which it can be applied. */
export function infrastructureComponents(image: string): object[] {
  return componentManifests(infrastructureNames, [nestedCluster, nestedClusterTemplate], image);
}

/** The same of the control plane provider. */
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
  return [
    restrictedNamespace(names.namespace, names.labels),
    ...kinds.map(customResourceDefinitionOf),
    coreAccess(names),
    ...managerAccess(names),
    ...workload(names, image),
    webhookConfiguration(names),
  ];
}

/** Without authorities: the manager issues its own certificate, and puts them there. */
function webhookConfiguration(names: InstallationNames): object {
  const service = { namespace: names.namespace, name: names.webhookService };
  const { metadata, ...configuration } = validatingWebhookConfiguration({
    name: names.webhookConfiguration,
    address: { service },
    controllers: [names.controllers],
  });
  return { ...configuration, metadata: { ...metadata, labels: names.labels } };
}
