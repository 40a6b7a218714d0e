import type { Downloader, ImageOverrides } from "@rookery/components";
import type { Clock } from "@rookery/kube";
import type { Provider } from "@rookery/runtime";

export interface OperatorOptions {
  /** Variables of components that the Secret of a provider does not have: the environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** In the form of clusterctl's configuration, for all providers. */
  readonly imageOverrides?: ImageOverrides;
  /** Fetches what is not in ConfigMaps. */
  readonly downloader: Downloader;
  /** The image of the `rookery` command, for providers with an apiGroupSuffix. */
  readonly image?: string;
  /** How many providers of a kind are worked on at a time. 10. */
  readonly concurrency?: number;
  readonly clock?: Clock;
}

export type OperatorParts = Pick<
  Provider,
  "client" | "cache" | "manager" | "metrics" | "logger" | "recorder"
>;

/** Adds the controllers of the operator to a manager. */
export function setupOperator(_parts: OperatorParts, _options: OperatorOptions): void {}
