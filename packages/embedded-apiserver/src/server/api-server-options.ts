import type { PodStreams } from "@rookery/apiserver";
import { listenHost } from "@rookery/http";
import type { Clock, KubeObject } from "@rookery/kube";
import type { Store } from "../store/store.ts";
import type { CertificateFiles } from "./certificate-files.ts";
import type { LocalPki } from "./local-pki.ts";

export interface ApiServerOptions {
  /** The caller opens it before the server and closes it after it. */
  readonly store: Store;
  /** The parent folder of certificates. */
  readonly data: string;
  /** 127.0.0.1 by default. */
  readonly address?: string;
  /** 6443 by default; 0 takes any free port. */
  readonly port?: number;
  /** External certificates and keys; by default the server creates its own. */
  readonly certificates?: CertificateFiles | undefined;
  /** Further DNS names and IP addresses of the serving certificate. */
  readonly tlsSans?: readonly string[];
  /** 10.0.0.0/24 by default, as in kube-apiserver. */
  readonly serviceCidr?: string;
  /** The loopback network of pods that are local processes: endpoints may have its addresses. */
  readonly podCidr?: string | undefined;
  /** Whether the Service "kubernetes" is reached at a loopback address, as by such pods. */
  readonly hasLocalPods?: boolean;
  /** The storage class of a new cluster; none by default. */
  readonly storageClass?: KubeObject | undefined;
  /** Names of disabled admission plugins. */
  readonly disabledAdmission?: readonly string[];
  /** Logs each request like kube-apiserver's audit log, without bodies. */
  readonly auditLogPath?: string | undefined;
  /** Logs, exec and port forwarding of pods; undefined while no node runs. */
  readonly podStreams?: () => PodStreams | undefined;
  /** Called with the certificates before the server is ready, and after each renewal. */
  readonly onCertificates?: (url: string, pki: LocalPki) => Promise<unknown>;
  /** Called with internal errors. */
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

export interface Parts {
  readonly pki: LocalPki;
  readonly options: FullApiServerOptions;
}
