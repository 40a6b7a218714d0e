import { builtInResources, isConflict, isNotFound, type KubeObject } from "@rookery/kube";
import {
  type Controller,
  createController,
  createStoreSource,
  done,
  requestForEntry,
  requeueAfter,
} from "@rookery/runtime";
import type { HookContext } from "./start-hooks.ts";

const lifetimeMs = 60 * 60 * 1000;

/** Deletes events an hour after they were last written. */
export function createEventExpiry(context: HookContext): Controller {
  const { store, client, now } = context;
  return createController({
    name: "event-expiry",
    logger: context.logger,
    sources: [createStoreSource({ store, resource: "events", requestsOf: requestForEntry })],
    reconcile: async ({ namespace = "", name }, signal) => {
      const event = store.get({ resource: "events", namespace, name })?.object;
      if (event === undefined) return done;
      const left = lastWritten(event) + lifetimeMs - now().getTime();
      if (left > 0) return requeueAfter(left / 1000);
      const { uid = "", resourceVersion = "" } = event.metadata;
      const preconditions = { uid, resourceVersion };
      try {
        await client
          .resource(builtInResources.events)
          .delete({ namespace, name }, { signal, preconditions });
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
      return done;
    },
  });
}

function lastWritten({ metadata }: KubeObject): number {
  const { creationTimestamp, managedFields = [] } = metadata;
  const times = [creationTimestamp, ...managedFields.map(({ time }) => time)];
  return Math.max(...times.map((time) => (time ? Date.parse(time) : 0)));
}
