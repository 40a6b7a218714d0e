import type { ServedGroup } from "@rookery/apiserver";
import type { Client } from "@rookery/client";
import type { Clock, StoreReader } from "@rookery/kube";
import type { Logger } from "@rookery/runtime";

/** The dependencies of all controllers. */
export interface ControllerContext {
  readonly store: StoreReader;
  /** Writes go through the API, as the controllers of a real cluster do it. */
  readonly client: Client;
  /** The groups that are served now; another list after each change. */
  readonly groups: () => readonly ServedGroup[];
  readonly now: Clock;
  readonly logger: Logger;
}

/** The field manager of the controllers. */
export const fieldManager = "kube-controller-manager";
