import { formatGroupKind, type KubeObject } from "@rookery/kube";
import { onAbort } from "../clock/abort.ts";
import type { EventHandler } from "../controller/event-handlers.ts";
import type { Predicate } from "../controller/predicates.ts";
import { createEventSource, type Source } from "../controller/source.ts";
import type { HandlerRegistration } from "./handler-registration.ts";
import type { Informer } from "./informer.ts";

export interface InformerSourceOptions<T extends KubeObject> {
  readonly informer: Informer<T>;
  readonly handler: EventHandler<T>;
  /** All of them must accept an event. */
  readonly predicates?: readonly Predicate<T>[];
}

/** A source with the events of an informer, for one controller. */
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
      onAbort(signal, () => registered.remove());
    },
    async waitForSync(signal) {
      await registration?.waitForSync(signal);
    },
  });
}
