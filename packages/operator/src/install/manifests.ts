import { leaseRules, managerManifests } from "@rookery/runtime";
import { customResourceDefinitions } from "./definitions.ts";
import { createInstallation, type InstallOptions } from "./installation.ts";
import { operatorRules, personRoles } from "./rbac.ts";
import { webhookConfiguration } from "./webhooks.ts";
import { operatorWorkload } from "./workload.ts";

/** The objects of `renderOperator`. Errors: InstallError. */
export function operatorManifests(options: InstallOptions): readonly object[] {
  const installation = createInstallation(options);
  const { name, namespace, labels } = installation;
  const manager = managerManifests({
    ...operatorWorkload(installation),
    names: { namespace, manager: name, clusterRole: name, role: name, service: name },
    labels,
    rules: operatorRules(),
    // No rule for the certificate, because the operator may write all Secrets.
    namespaceRules: leaseRules(name),
    webhooks: () => [webhookConfiguration(installation)],
  });
  return [
    manager.namespace,
    ...customResourceDefinitions(installation),
    ...manager.access,
    ...personRoles(installation),
    manager.account,
    ...manager.workload,
    ...manager.webhooks,
  ];
}
