import type { PodStreams } from "@rookery/apiserver";
import { listenHost } from "@rookery/http";
import type { Clock } from "@rookery/kube";
import type { Logger } from "@rookery/runtime";
import type { ImagePrograms } from "../node/images.ts";
import type { CertificateFiles } from "./certificate-files.ts";

/** What is particular about the node of a server that has one. */
export interface LocalNodeOptions {
  /** What images its pods can have. */
  readonly images: ImagePrograms;
  /** The name of its Node object; "rookery" unless told otherwise. */
  readonly name?: string;
  /** Hears of what the node and its pods do; nobody does unless told otherwise. */
  readonly logger?: Logger;
}

export interface LocalServerOptions {
  /** The folder of everything that stays: the store, certificates, the administrator's kubeconfig. */
  readonly data: string;
  /** 127.0.0.1 unless told otherwise. */
  readonly address?: string;
  /** 6443 unless told otherwise; 0 takes any free one. */
  readonly port?: number;
  /** Certificates and keys that others make; without them it makes its own. */
  readonly certificates?: CertificateFiles;
  /** A node in the same process, whose pods are processes of this machine; none unless told. */
  readonly node?: LocalNodeOptions;
  /** Further DNS names and IP addresses of the serving certificate. */
  readonly tlsSans?: readonly string[];
  /** Where the administrator's kubeconfig is written, beside the one in the data folder. */
  readonly kubeconfig?: string;
  /**
   * Where the addresses of Services come from; 10.0.0.0/24, as kube-apiserver has it. With a node they
   * are loopback addresses that it listens on, from a network that the folder keeps.
   */
  readonly serviceCidr?: string;
  /**
   * The loopback network of pods where a node runs them as processes of this machine, one that no other
   * embedded Kubernetes has unless told otherwise: endpoints may then have its addresses.
   */
  readonly podCidr?: string;
  /** false leaves garbage collection and the like to a kube-controller-manager from elsewhere. */
  readonly controllerManager?: boolean;
  /** false leaves Deployments, Jobs and the like to other controllers. */
  readonly workloads?: boolean;
  /** Plugins of admission that are left out, by their names in Kubernetes. */
  readonly disabledAdmission?: readonly string[];
  /** How long it is known what was there before; 5 minutes unless told otherwise. */
  readonly historyMs?: number;
  /** A file that is told of every request, as kube-apiserver's audit log is, without bodies. */
  readonly auditLogPath?: string;
  /** Of who runs pods, for their logs, exec and the like; undefined while there is nobody. */
  readonly podStreams?: () => PodStreams | undefined;
  /** Hears of what clients are not told: a log. */
  readonly onError?: (error: unknown) => void;
  readonly now?: Clock;
}

type Optional = "kubeconfig" | "auditLogPath" | "certificates" | "node" | "podCidr";

export type FullOptions = Required<Omit<LocalServerOptions, Optional>> &
  Pick<LocalServerOptions, Optional>;

export const defaultPodCidr = "127.64.0.0/16";

export function withDefaults(options: LocalServerOptions): FullOptions {
  const full = {
    address: "127.0.0.1",
    port: 6443,
    tlsSans: [],
    serviceCidr: options.node ? "127.96.0.0/16" : "10.0.0.0/24",
    ...(options.node && { podCidr: defaultPodCidr }),
    controllerManager: true,
    workloads: true,
    disabledAdmission: [],
    historyMs: 300_000,
    podStreams: () => undefined,
    onError: () => {},
    now: () => new Date(),
    ...options,
  };
  return { ...full, address: listenHost(full.address) };
}
