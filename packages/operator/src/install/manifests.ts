import { restrictedNamespace } from "@rookery/kube";
import { customResourceDefinitions } from "./definitions.ts";
import { createInstallation, type InstallOptions } from "./installation.ts";
import { accessControl } from "./rbac.ts";
import { webhookConfiguration } from "./webhooks.ts";
import { workload } from "./workload.ts";

/** See `renderOperator`. Errors: InstallError. */
export function operatorManifests(options: InstallOptions): readonly object[] {
  const installation = createInstallation(options);
  return [
    restrictedNamespace(installation.namespace, installation.labels),
    ...customResourceDefinitions(installation),
    ...accessControl(installation),
    ...workload(installation),
    webhookConfiguration(installation),
  ];
}
