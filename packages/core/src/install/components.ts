import { coreKinds, customResourceDefinitionOf } from "@rookery/api";
import { managerManifests } from "@rookery/runtime";
import {
  mutatingWebhookConfiguration,
  validatingWebhookConfiguration,
} from "../webhooks/configuration.ts";
import { aggregation, clusterRules, namespaceRules } from "./access.ts";
import { labels, names } from "./names.ts";

/** Everything that the core consists of, in the order in which it can be applied. */
export function componentManifests(image: string): object[] {
  const { namespace, account, access, workload, webhooks } = managerManifests({
    names,
    labels,
    podLabels: { ...labels, "control-plane": "controller-manager" },
    rules: clusterRules,
    namespaceRules,
    aggregation,
    image,
    args: ["manager", "core", "--leader-elect"],
    pod: { terminationGracePeriodSeconds: 30 },
    webhooks: (address) => [
      validatingWebhookConfiguration(names.validatingConfiguration, address),
      mutatingWebhookConfiguration(names.mutatingConfiguration, address),
    ],
  });
  const kinds = coreKinds.map(customResourceDefinitionOf);
  return [namespace, ...kinds, account, ...access, ...workload, ...webhooks];
}
