import type { ClusterAuthentication } from "@rookery/apiserver";
import { startRunnables } from "@rookery/runtime";
import { createAuthenticationConfigPublisher } from "./authentication-config.ts";
import { createEventExpiry } from "./event-expiry.ts";
import type { HookContext } from "./hook-context.ts";

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
