import { customResourceDefinitions } from "./definitions.ts";
import { createInstallation, type InstallOptions } from "./installation.ts";
import { accessControl } from "./rbac.ts";
import { webhookConfiguration } from "./webhooks.ts";
import { namespaceObject, workload } from "./workload.ts";

/** See `renderOperator`. Errors: InstallError. */
export function operatorManifests(options: InstallOptions): readonly object[] {
  const installation = createInstallation(options);
  return [
    namespaceObject(installation),
    ...customResourceDefinitions(installation),
    ...accessControl(installation),
    ...workload(installation),
    webhookConfiguration(installation),
  ];
}
