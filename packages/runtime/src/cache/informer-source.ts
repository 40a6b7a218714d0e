import { formatGroupKind, type KubeObject } from "@rookery/kube";
import type { EventHandler } from "../controller/event-handlers.ts";
import type { Predicate } from "../controller/predicates.ts";
import { createEventSource, type Source } from "../controller/source.ts";
import type { HandlerRegistration } from "./handler-registration.ts";
import type { Informer } from "./informer.ts";

export interface InformerSourceOptions<T extends KubeObject> {
  readonly informer: Informer<T>;
  readonly handler: EventHandler<T>;
  /** All of them must let an event through. */
  readonly predicates?: readonly Predicate<T>[];
}

/** A source for one controller that watches what an informer holds. */
export function createInformerSource<T extends KubeObject>(
  options: InformerSourceOptions<T>,
): Source {
  const { informer, ...rest } = options;
  let registration: HandlerRegistration | undefined;
  return createEventSource<T>({
    ...rest,
    name: `kind source: ${formatGroupKind(informer.resource)}`,
    subscribe(deliver, signal) {
      const registered = informer.addEventHandler(deliver);
      registration = registered;
      signal.addEventListener("abort", () => registered.remove(), { once: true });
      if (signal.aborted) registered.remove();
    },
    async waitForSync(signal) {
      await registration?.waitForSync(signal);
    },
  });
}
