import type { CertificateAndKey } from "./keys.ts";

export interface KubeconfigOptions {
  readonly clusterName: string;
  /** For example `https://10.0.0.1:6443`. */
  readonly server: string;
  /** The CA bundle of the server, in PEM. */
  readonly certificateAuthority: string;
  readonly userName: string;
  readonly credentials: CertificateAndKey | { readonly token: string };
  /** `<user>@<cluster>` by default. */
  readonly contextName?: string;
}

/** A kubeconfig with all data inline. As JSON it is also valid YAML for kubectl. */
export function createKubeconfig(options: KubeconfigOptions) {
  const { clusterName, server, certificateAuthority, userName, credentials } = options;
  const contextName = options.contextName ?? `${userName}@${clusterName}`;
  const cluster = { server, "certificate-authority-data": base64(certificateAuthority) };
  const context = { cluster: clusterName, user: userName };
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: clusterName, cluster }],
    users: [{ name: userName, user: userOf(credentials) }],
    contexts: [{ name: contextName, context }],
    "current-context": contextName,
  };
}

function userOf(credentials: KubeconfigOptions["credentials"]) {
  if ("token" in credentials) return { token: credentials.token };
  return {
    "client-certificate-data": base64(credentials.certificate),
    "client-key-data": base64(credentials.key),
  };
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
