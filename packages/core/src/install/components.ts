import { coreKinds, customResourceDefinitionOf } from "@rookery/api";
import { restrictedNamespace } from "@rookery/kube";
import type { WebhookConfiguration } from "@rookery/runtime";
import {
  mutatingWebhookConfiguration,
  validatingWebhookConfiguration,
} from "../webhooks/configuration.ts";
import { managerAccess } from "./manager-access.ts";
import { names } from "./names.ts";
import { workload } from "./workload.ts";

/** Everything that the core consists of, in the order in which it can be applied. */
export function componentManifests(image: string): object[] {
  const service = { namespace: names.namespace, name: names.webhookService };
  return [
    restrictedNamespace(names.namespace, names.labels),
    ...coreKinds.map(customResourceDefinitionOf),
    ...managerAccess(),
    ...workload(image),
    labelled(validatingWebhookConfiguration(names.validatingConfiguration, { service })),
    labelled(mutatingWebhookConfiguration(names.mutatingConfiguration, { service })),
  ];
}

/** Without authorities: the manager issues its own certificate, and puts them there. */
function labelled({ metadata, ...configuration }: WebhookConfiguration): object {
  return { ...configuration, metadata: { ...metadata, labels: names.labels } };
}
