import type { ServedGroup } from "@rookery/apiserver";
import type { Client } from "@rookery/client";
import type { Clock, StoreReader } from "@rookery/kube";
import type { Logger } from "@rookery/runtime";

/** What every controller works with. */
export interface ControllerContext {
  readonly store: StoreReader;
  /** Writes go through the API, as the controllers of a real cluster do it. */
  readonly client: Client;
  /** What is served right now; another list after each change. */
  readonly groups: () => readonly ServedGroup[];
  readonly now: Clock;
  readonly logger: Logger;
}

/** Whose changes those of the controllers are. */
export const fieldManager = "kube-controller-manager";
