import {
  customResourceDefinitionOf,
  vsphereCluster,
  vsphereClusterIdentity,
  vsphereClusterTemplate,
  vsphereMachine,
  vsphereMachineTemplate,
  vsphereVm,
} from "@rookery/api";
import { restrictedNamespace } from "@rookery/kube";
import { validatingWebhookConfiguration } from "../webhooks/configuration.ts";
import { managerAccess } from "./manager-access.ts";
import { labels, namespaceName, webhookConfigurationName, webhookServiceName } from "./names.ts";
import { userRoles } from "./user-roles.ts";
import { workload } from "./workload.ts";

const kinds = [
  vsphereCluster,
  vsphereClusterIdentity,
  vsphereClusterTemplate,
  vsphereMachine,
  vsphereMachineTemplate,
  vsphereVm,
];

/** Everything that the provider consists of, in the order in which it can be applied. */
export function componentManifests(image: string): object[] {
  return [
    // Its pods keep to that standard, and so must all that come beside them.
    restrictedNamespace(namespaceName, labels),
    ...kinds.map(customResourceDefinitionOf),
    ...managerAccess(),
    ...userRoles(),
    ...workload(image),
    webhookConfiguration(),
  ];
}

/** Without authorities: the manager issues its own certificate, and puts them there. */
function webhookConfiguration(): object {
  const service = { namespace: namespaceName, name: webhookServiceName };
  const { metadata, ...configuration } = validatingWebhookConfiguration(webhookConfigurationName, {
    service,
  });
  return { ...configuration, metadata: { ...metadata, labels } };
}
