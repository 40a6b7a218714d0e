import type { ApiServerOptions } from "@rookery/embedded-apiserver";
import type { ImagePrograms } from "@rookery/embedded-node";
import type { Logger } from "@rookery/runtime";

/** The options of the node. */
export interface LocalNodeOptions {
  /** The images that pods can use. */
  readonly images: ImagePrograms;
  /** The name of the Node; "rookery" by default. */
  readonly name?: string;
  /** Logs events of the node and its pods; nothing by default. */
  readonly logger?: Logger;
}

type ServerOptions = Omit<
  ApiServerOptions,
  "store" | "hasLocalPods" | "storageClass" | "onCertificates"
>;

/**
 * The folder `data` keeps the store, certificates, and the administrator's kubeconfig. With a node,
 * `serviceCidr` and `podCidr` default to loopback ranges that are unique on this machine and that
 * the folder keeps.
 */
export interface LocalServerOptions extends ServerOptions {
  /** A node in the same process, whose pods are local processes; none by default. */
  readonly node?: LocalNodeOptions;
  /** A further path for the administrator's kubeconfig. */
  readonly kubeconfig?: string;
  /** false leaves garbage collection and the like to an external kube-controller-manager. */
  readonly controllerManager?: boolean;
  /** false leaves Deployments, Jobs and the like to other controllers. */
  readonly workloads?: boolean;
  /** How long the store keeps earlier states; 5 minutes by default. */
  readonly historyMs?: number;
}

type Required =
  | "now"
  | "onError"
  | "podStreams"
  | "controllerManager"
  | "workloads"
  | "disabledAdmission";

/** Adds the defaults that this package uses itself. */
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
