import { apiServices, customResourceDefinitions } from "./definitions.ts";
import { createInstance, type InstallOptions } from "./instance.ts";
import { accessControl } from "./rbac.ts";
import { workload } from "./workload.ts";

/** See `renderConcierge`. Errors: InstallError. */
export function conciergeManifests(options: InstallOptions): readonly object[] {
  const instance = createInstance(options);
  const [namespace, ...pods] = workload(instance);
  return [
    ...(namespace ? [namespace] : []),
    ...customResourceDefinitions(instance),
    ...accessControl(instance),
    ...pods,
    ...apiServices(instance),
  ];
}
