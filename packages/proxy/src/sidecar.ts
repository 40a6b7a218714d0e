/**
 * How an unmodified app in a pod reaches a proxy in the same pod.
 *
 * A client in a pod takes the address from KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT, and
 * token, ca.crt and namespace from `serviceAccountFolder`. So that it finds the proxy there:
 * - The proxy is an init container with restartPolicy Always, so that it is there before the app and
 *   after it. Its startup probe and readiness probe are GET /readyz at `healthPort`, in the clear: when
 *   it says ok, all files are written and the proxy listens. It has the pod's own service account mounted
 *   as every container has (which is what `--upstream` means where it is absent).
 * - An emptyDir, mounted in the proxy at a folder of its own, which `--app-service-account-dir` names, and
 *   in the app, read-only, at `serviceAccountFolder`: Kubernetes then mounts nothing else there. The proxy
 *   puts the pod's token there, anew whenever kubelet renews it, with its own ca.crt and the namespace.
 * - Another emptyDir, mounted in the proxy alone, which `--state-dir` names: the authority that the app
 *   trusts outlives a restart of the proxy's container, as the app reads ca.crt only once.
 * - The app has the two variables of `sidecarEnvironment`; those in its manifest win over kubelet's.
 * - `--callback-bind-address=:6444 --callback-upstream=https://127.0.0.1:<port of the app's webhooks>
 *   --callback-upstream-insecure --callback-cert-dir=<folder>`, with the Secret mounted there that holds the
 *   app's own serving certificate, and the targetPort of the app's Service changed to 6444: the caBundle
 *   of its webhooks and conversions then still fits.
 *
 * All of it is by identity "app": the API server sees the pod's service account, whose Roles name real groups.
 */

export const serviceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/** The default ports; callbacks come from the API server, hence not by loopback. */
export const defaultPorts = { app: 6443, health: 6440, metrics: 6441, callbacks: 6444 } as const;

/** The variables that lead an app's client to a proxy in the same pod. */
export function sidecarEnvironment(
  port: number = defaultPorts.app,
): Readonly<Record<string, string>> {
  return { KUBERNETES_SERVICE_HOST: "127.0.0.1", KUBERNETES_SERVICE_PORT: `${port}` };
}
