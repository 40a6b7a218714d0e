import type { ClusterAuthentication } from "@rookery/apiserver";
import type { Client } from "@rookery/client";
import type { Clock, StoreReader } from "@rookery/kube";
import { type Logger, startRunnables } from "@rookery/runtime";
import { createAuthenticationConfigPublisher } from "./authentication-config.ts";
import { createEventExpiry } from "./event-expiry.ts";

export interface HookOptions extends HookContext {
  /** What extension API servers learn about the authentication of this cluster. */
  readonly cluster: { readonly current: ClusterAuthentication };
  /** Hears of a controller that has failed. */
  readonly onError: (error: unknown) => void;
}

/** Runs the controllers that kube-apiserver has inside, until it is disposed of. */
export function startHooks(options: HookOptions): AsyncDisposable {
  const hooks = [
    createAuthenticationConfigPublisher(options, options.cluster),
    createEventExpiry(options),
  ];
  return startRunnables(hooks, options.onError);
}

/** What the controllers inside of the API server work with. */
export interface HookContext {
  readonly store: StoreReader;
  /** Writes go through the API, as those of kube-apiserver do. */
  readonly client: Client;
  readonly now: Clock;
  readonly logger: Logger;
}
