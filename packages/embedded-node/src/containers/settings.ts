import { type BackOffTimes, kubeletBackOff } from "./back-off.ts";
import { kubeletLogLimits, type LogLimits } from "./container-log.ts";

/** How a node behaves in time; tests are less patient than kubelets. */
export interface NodeSettings {
  readonly restartBackOff: BackOffTimes;
  readonly imageBackOff: BackOffTimes;
  /** How soon is tried again what was missing, such as a ConfigMap. */
  readonly retryMs: number;
  /** How long pods may take to end when the node stops in an orderly way. */
  readonly shutdownMs: number;
  readonly logLimits: LogLimits;
  /** Whether containers have mounts of their own; found out by default. */
  readonly mounts: boolean | undefined;
}

export const defaultSettings: NodeSettings = {
  restartBackOff: kubeletBackOff,
  imageBackOff: kubeletBackOff,
  retryMs: 1_000,
  shutdownMs: 10_000,
  logLimits: kubeletLogLimits,
  mounts: undefined,
};
