import type { CertificateAndKey } from "./keys.ts";

/** How the user of a kubeconfig proves who they are. */
export type KubeconfigCredentials = CertificateAndKey | { readonly token: string };

export interface KubeconfigOptions {
  readonly clusterName: string;
  /** For example `https://10.0.0.1:6443`. */
  readonly server: string;
  /** The CA bundle of the server, in PEM. */
  readonly certificateAuthority: string;
  readonly userName: string;
  readonly credentials: KubeconfigCredentials;
  /** `<user>@<cluster>` unless told otherwise. */
  readonly contextName?: string;
  readonly namespace?: string;
  /** The name to expect in the server's certificate, where it is not the server's address. */
  readonly tlsServerName?: string;
}

interface KubeconfigCluster {
  readonly server: string;
  readonly "certificate-authority-data": string;
  readonly "tls-server-name"?: string;
}

type KubeconfigUser =
  | { readonly "client-certificate-data": string; readonly "client-key-data": string }
  | { readonly token: string };

/** A kubeconfig with everything inside. Written as JSON it is the YAML that kubectl reads. */
export interface Kubeconfig {
  readonly apiVersion: "v1";
  readonly kind: "Config";
  readonly clusters: readonly { readonly name: string; readonly cluster: KubeconfigCluster }[];
  readonly users: readonly { readonly name: string; readonly user: KubeconfigUser }[];
  readonly contexts: readonly {
    readonly name: string;
    readonly context: {
      readonly cluster: string;
      readonly user: string;
      readonly namespace?: string;
    };
  }[];
  readonly "current-context": string;
}

export function createKubeconfig(options: KubeconfigOptions): Kubeconfig {
  const { clusterName, userName, namespace } = options;
  const contextName = options.contextName ?? `${userName}@${clusterName}`;
  const context = { cluster: clusterName, user: userName, ...(namespace ? { namespace } : {}) };
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: clusterName, cluster: clusterOf(options) }],
    users: [{ name: userName, user: userOf(options.credentials) }],
    contexts: [{ name: contextName, context }],
    "current-context": contextName,
  };
}

function clusterOf(options: KubeconfigOptions): KubeconfigCluster {
  const { server, tlsServerName } = options;
  return {
    server,
    "certificate-authority-data": base64(options.certificateAuthority),
    ...(tlsServerName ? { "tls-server-name": tlsServerName } : {}),
  };
}

function userOf(credentials: KubeconfigCredentials): KubeconfigUser {
  if ("token" in credentials) return { token: credentials.token };
  return {
    "client-certificate-data": base64(credentials.certificate),
    "client-key-data": base64(credentials.key),
  };
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
