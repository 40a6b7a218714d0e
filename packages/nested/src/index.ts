/**
 * Control planes for tenants, nested: etcd, kube-apiserver and kube-controller-manager run as pods of
 * the cluster that they are in, driven by Cluster API as any other control plane.
 *
 * `setupNested` adds the controllers to a manager: `cluster/` joins a Cluster with its control plane,
 * `control-plane/` holds what components share (`pki/`, `kubeconfig/`, and in `tenant/` what the
 * tenant's API server says), `defaulting/` makes components where none is named. `etcd/`,
 * `api-server/` and `controller-manager/` run them, on what they have in common in `component/`.
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
