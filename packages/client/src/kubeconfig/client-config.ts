import type { ConfigPlace } from "../errors.ts";

/** PEM, and the file it was read from: that is read again, because certificates are renewed. */
export interface PemSource {
  readonly pem: string;
  readonly file?: string;
}

/** Whom to act as, in the words of the Impersonate headers. */
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
  /** Shown where the command is not found. */
  readonly installHint?: string;
}

/** How a client shows who it is. A plugin is asked only where there is nothing else. */
export interface UserConfig {
  readonly certificate?: { readonly cert: PemSource; readonly key: PemSource };
  readonly token?: string;
  /** Read again every minute and after a 401; wins over `token` once it was read. */
  readonly tokenFile?: string;
  readonly basic?: { readonly username: string; readonly password: string };
  readonly exec?: ExecConfig;
  readonly impersonate?: Impersonation;
}

/** All that is needed to talk to one API server as one user. */
export interface ClientConfig {
  /** With scheme; a path is put before the path of every request. */
  readonly server: string;
  readonly certificateAuthority?: PemSource;
  readonly insecureSkipTlsVerify?: boolean;
  /** The name to verify in the server's certificate, where it is not the server's host. */
  readonly tlsServerName?: string;
  readonly proxyUrl?: string;
  readonly disableCompression?: boolean;
  /** Where objects live whose namespace nobody named. */
  readonly namespace: string;
  readonly user: UserConfig;
  /** The cluster's extension "client.authentication.k8s.io/exec", for exec plugins. */
  readonly execExtension?: unknown;
  /** Where it came from, for messages. */
  readonly place?: ConfigPlace;
}
