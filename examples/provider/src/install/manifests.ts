import { customResourceDefinitionOf } from "@rookery/api";
import { managerManifests, validatingConfiguration, type WebhookAddress } from "@rookery/runtime";
import { hostCluster } from "../kinds/host-cluster.ts";
import { hostMachine, hostMachineTemplate } from "../kinds/host-machine.ts";
import { clusters } from "../resources.ts";
import { clusterRules, coreAccess, namespaceRules } from "./access.ts";
import { labels, names } from "./names.ts";

/** Renders all objects of an installation, in the order in which they can be applied. */
export function manifests(image: string): object[] {
  const { namespace, account, access, workload, webhooks } = managerManifests({
    names,
    labels,
    rules: clusterRules,
    namespaceRules,
    image,
    args: ["manager", "--leader-elect"],
    webhooks: (address) => [webhookConfiguration(address)],
  });
  const definitions = [hostCluster, hostMachine, hostMachineTemplate].map(
    customResourceDefinitionOf,
  );
  return [namespace, ...definitions, account, ...access, coreAccess(), ...workload, ...webhooks];
}

function webhookConfiguration(address: WebhookAddress) {
  return validatingConfiguration(names.validatingConfiguration, address, [
    { resource: clusters, operations: ["CREATE", "UPDATE"] },
  ]);
}
