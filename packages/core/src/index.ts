/**
 * What the embedded mode needs of Cluster API's core. On a real cluster the real core is used.
 *
 * `setupCore` adds the controllers to a manager: `cluster/` joins a Cluster with its infrastructure and
 * control plane, `machine/` a Machine with its bootstrap data, its infrastructure and its node,
 * `resource-set/` applies objects to clusters. `contract/` reads objects of providers of any kind,
 * `conditions/` merges their conditions as Cluster API v1.13 does, `remote/` keeps connections to the clusters.
 */
export { coreRelease, type ReleaseOptions } from "./install/release-files.ts";
export { runCore } from "./run-core.ts";
export {
  type CoreOptions,
  type CoreWebhookOptions,
  setupCore,
  setupCoreWebhooks,
} from "./setup.ts";
