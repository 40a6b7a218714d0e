import { stringify } from "yaml";
import { apiServerHost } from "../names.ts";
import type { PkiScope } from "./scope.ts";

/**
 * How the controller manager reaches the API server. Files are named as they lie beside it, in the
 * folder that the Secret is mounted at, so that a renewed certificate is picked up.
 */
export function controllerManagerKubeconfig(
  scope: Pick<PkiScope, "cluster" | "namespace" | "servicePort">,
): string {
  const { cluster, namespace, servicePort } = scope;
  const user = "system:kube-controller-manager";
  const server = `https://${apiServerHost(cluster, namespace)}:${servicePort}`;
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: cluster, cluster: { server, "certificate-authority": "ca.crt" } }],
    users: [{ name: user, user: { "client-certificate": "tls.crt", "client-key": "tls.key" } }],
    contexts: [{ name: `${user}@${cluster}`, context: { cluster, user } }],
    "current-context": `${user}@${cluster}`,
  });
}
