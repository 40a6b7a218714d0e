import type { ConfigPlace } from "../errors.ts";

/** PEM, and its file, which is read again after renewals. */
export interface PemSource {
  readonly pem: string;
  readonly file?: string;
}

/** As in the Impersonate headers. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export type InteractiveMode = "Never" | "IfAvailable" | "Always";

/** A program that prints an ExecCredential. */
export interface ExecConfig {
  readonly apiVersion: "client.authentication.k8s.io/v1" | "client.authentication.k8s.io/v1beta1";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly interactiveMode: InteractiveMode;
  readonly provideClusterInfo: boolean;
  /** Shown if the command is missing. */
  readonly installHint?: string;
}

/** The credentials of a user. A plugin is only used without others. */
export interface UserConfig {
  readonly certificate?: { readonly cert: PemSource; readonly key: PemSource };
  readonly token?: string;
  /** Read again every minute and after a 401; takes precedence over `token`. */
  readonly tokenFile?: string;
  readonly basic?: { readonly username: string; readonly password: string };
  readonly exec?: ExecConfig;
  readonly impersonate?: Impersonation;
}

/** The configuration of one user of one API server. */
export interface ClientConfig {
  /** With scheme; its path precedes the path of every request. */
  readonly server: string;
  readonly certificateAuthority?: PemSource;
  readonly insecureSkipTlsVerify?: boolean;
  /** The name in the server's certificate, if it is not the host. */
  readonly tlsServerName?: string;
  readonly proxyUrl?: string;
  readonly disableCompression?: boolean;
  /** The namespace of objects without one. */
  readonly namespace: string;
  readonly user: UserConfig;
  /** The cluster's extension "client.authentication.k8s.io/exec", for exec plugins. */
  readonly execExtension?: unknown;
  /** The origin, for messages. */
  readonly place?: ConfigPlace;
}
