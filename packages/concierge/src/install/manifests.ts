import { apiServices, customResourceDefinitions } from "./definitions.ts";
import { createInstance, type InstallOptions } from "./instance.ts";
import { accessControl } from "./rbac.ts";
import { workload } from "./workload.ts";

/**
 * Everything that one instance of the concierge consists of, in the order in which it can be applied.
 * Instances with different suffixes and namespaces share no object. Errors: InstallError.
 */
export function renderConcierge(options: InstallOptions): readonly object[] {
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
