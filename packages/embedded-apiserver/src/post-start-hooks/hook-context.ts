import type { Client } from "@rookery/client";
import type { Clock, StoreReader } from "@rookery/kube";
import type { Logger } from "@rookery/runtime";

/** What the controllers inside of the API server work with. */
export interface HookContext {
  readonly store: StoreReader;
  /** Writes go through the API, as those of kube-apiserver do. */
  readonly client: Client;
  readonly now: Clock;
  readonly logger: Logger;
}
