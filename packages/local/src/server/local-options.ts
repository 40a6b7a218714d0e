import type { Clock } from "@rookery/kube";

export interface LocalServerOptions {
  /** The folder of everything that stays: the store, certificates, the administrator's kubeconfig. */
  readonly data: string;
  /** 127.0.0.1 unless told otherwise. */
  readonly address?: string;
  /** 6443 unless told otherwise; 0 takes any free one. */
  readonly port?: number;
  /** Further DNS names and IP addresses of the serving certificate. */
  readonly tlsSans?: readonly string[];
  /** Where the administrator's kubeconfig is written, beside the one in the data folder. */
  readonly kubeconfig?: string;
  /** Where the addresses of Services come from; 10.0.0.0/24, as kube-apiserver has it. */
  readonly serviceCidr?: string;
  /** false leaves garbage collection and the like to a kube-controller-manager from elsewhere. */
  readonly controllerManager?: boolean;
  /** How long it is known what was there before; 5 minutes unless told otherwise. */
  readonly historyMs?: number;
  /** A file that is told of every request, as kube-apiserver's audit log is, without bodies. */
  readonly auditLogPath?: string;
  /** Hears of what clients are not told: a log. */
  readonly onError?: (error: unknown) => void;
  readonly now?: Clock;
}

type Optional = "kubeconfig" | "auditLogPath";

export type FullOptions = Required<Omit<LocalServerOptions, Optional>> &
  Pick<LocalServerOptions, Optional>;

export function withDefaults(options: LocalServerOptions): FullOptions {
  return {
    address: "127.0.0.1",
    port: 6443,
    tlsSans: [],
    serviceCidr: "10.0.0.0/24",
    controllerManager: true,
    historyMs: 300_000,
    onError: () => {},
    now: () => new Date(),
    ...options,
  };
}
