import type { ApiServerOptions } from "@rookery/embedded-apiserver";
import type { ImagePrograms } from "@rookery/embedded-node";
import type { Logger } from "@rookery/runtime";

/** What is particular about the node of a server that has one. */
export interface LocalNodeOptions {
  /** What images its pods can have. */
  readonly images: ImagePrograms;
  /** The name of its Node object; by default "rookery". */
  readonly name?: string;
  /** Hears of what the node and its pods do; by default nobody does. */
  readonly logger?: Logger;
}

type ServerOptions = Omit<
  ApiServerOptions,
  "store" | "hasLocalPods" | "storageClass" | "onCertificates"
>;

/**
 * The folder `data` keeps all that stays: the store, certificates, the administrator's kubeconfig. With
 * a node, `serviceCidr` and `podCidr` are by default loopback networks that no other embedded
 * Kubernetes of this machine has, and that the folder keeps.
 */
export interface LocalServerOptions extends ServerOptions {
  /** A node in the same process, whose pods are processes of this machine; by default none. */
  readonly node?: LocalNodeOptions;
  /** Where the administrator's kubeconfig is written, beside the one in the data folder. */
  readonly kubeconfig?: string;
  /** false leaves garbage collection and the like to a kube-controller-manager from elsewhere. */
  readonly controllerManager?: boolean;
  /** false leaves Deployments, Jobs and the like to other controllers. */
  readonly workloads?: boolean;
  /** For how long the store keeps earlier states; by default 5 minutes. */
  readonly historyMs?: number;
}

type Required =
  | "now"
  | "onError"
  | "podStreams"
  | "controllerManager"
  | "workloads"
  | "disabledAdmission";

/** With the defaults of what this package uses itself; those of the API server are its own. */
export type FullOptions = LocalServerOptions & {
  readonly [K in Required]-?: NonNullable<LocalServerOptions[K]>;
};

export function withDefaults(options: LocalServerOptions): FullOptions {
  return {
    ...(options.node && { serviceCidr: "127.96.0.0/16", podCidr: "127.64.0.0/16" }),
    controllerManager: true,
    workloads: true,
    disabledAdmission: [],
    podStreams: () => undefined,
    onError: () => {},
    now: () => new Date(),
    ...options,
  };
}
