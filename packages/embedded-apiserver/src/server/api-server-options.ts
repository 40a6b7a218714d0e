import type { PodStreams } from "@rookery/apiserver";
import { listenHost } from "@rookery/http";
import type { Clock, KubeObject } from "@rookery/kube";
import type { Store } from "../store/store.ts";
import type { CertificateFiles } from "./certificate-files.ts";
import type { LocalPki } from "./local-pki.ts";

export interface ApiServerOptions {
  /** Where its objects are. The caller opens it before the server, and closes it after it. */
  readonly store: Store;
  /** The folder below which it keeps its certificates. */
  readonly data: string;
  /** By default 127.0.0.1. */
  readonly address?: string;
  /** By default 6443; 0 takes any free one. */
  readonly port?: number;
  /** Certificates and keys from elsewhere; by default the server makes its own. */
  readonly certificates?: CertificateFiles | undefined;
  /** Further DNS names and IP addresses of the serving certificate. */
  readonly tlsSans?: readonly string[];
  /** The range of the addresses of Services; by default 10.0.0.0/24, as in kube-apiserver. */
  readonly serviceCidr?: string;
  /** The loopback network of pods that are processes of this machine: endpoints may have its addresses. */
  readonly podCidr?: string | undefined;
  /** Whether clients reach the Service "kubernetes" at a loopback address, as such pods do. */
  readonly hasLocalPods?: boolean;
  /** The storage class that a new cluster has; by default none. */
  readonly storageClass?: KubeObject | undefined;
  /** Admission plugins that are left out, by their names in Kubernetes. */
  readonly disabledAdmission?: readonly string[];
  /** A file with a line for every request, as in kube-apiserver's audit log, without bodies. */
  readonly auditLogPath?: string | undefined;
  /** Logs, exec and the like of pods; undefined while no node runs. */
  readonly podStreams?: () => PodStreams | undefined;
  /** Called with the certificates before the server is ready, and after each renewal. */
  readonly onCertificates?: (url: string, pki: LocalPki) => Promise<unknown>;
  /** Hears of errors that no client is told of. */
  readonly onError?: (error: unknown) => void;
  readonly now?: Clock;
}

type Optional = "certificates" | "podCidr" | "storageClass" | "auditLogPath";

export type FullApiServerOptions = Required<Omit<ApiServerOptions, Optional>> &
  Pick<ApiServerOptions, Optional>;

export function withDefaults(options: ApiServerOptions): FullApiServerOptions {
  const full = {
    address: "127.0.0.1",
    port: 6443,
    tlsSans: [],
    serviceCidr: "10.0.0.0/24",
    hasLocalPods: false,
    disabledAdmission: [],
    podStreams: () => undefined,
    onCertificates: async () => {},
    onError: () => {},
    now: () => new Date(),
    ...options,
  };
  return { ...full, address: listenHost(full.address) };
}

/** What everything in a server is made from. */
export interface Parts {
  readonly pki: LocalPki;
  readonly options: FullApiServerOptions;
}
