import type { PodStreams } from "@rookery/apiserver";
import type { Store } from "../../store/store.ts";
import type { ProxyClients } from "./proxy-clients.ts";

/** What leads from the API server into pods. */
export interface StreamingContext {
  readonly store: Store;
  /** The node's; undefined where there is no node, or not yet. */
  readonly podStreams: () => PodStreams | undefined;
  /** Connections to what listens in pods. */
  readonly clients: ProxyClients;
  /** Hears of what the node did not foresee. */
  readonly onError: (error: unknown) => void;
}
