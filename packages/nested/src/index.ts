/**
 * Nested control planes for tenants: etcd, kube-apiserver and kube-controller-manager run as pods of the
 * management cluster.
 *
 * `setupNested` adds the controllers: `cluster/` joins a Cluster with its control plane, `control-plane/` has
 * what components share (`pki/`, `kubeconfig/`, `tenant/`), `defaulting/` creates unnamed components. `etcd/`,
 * `api-server/` and `controller-manager/` run the components, on the shared `component/`.
 */
export { nestedRelease, type ReleaseOptions } from "./install/release-files.ts";
export { runNested } from "./run-nested.ts";
export {
  type NestedOptions,
  type NestedWebhookOptions,
  setupNested,
  setupNestedWebhooks,
} from "./setup.ts";
export { validatingWebhookConfiguration } from "./webhooks/webhooks.ts";
