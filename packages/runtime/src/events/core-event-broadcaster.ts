import { once } from "node:events";
import type { KubeObject } from "@rookery/kube";
import { CoreEvents, type CoreEventsOptions, type EventSubject } from "./core-events.ts";
import type { ObjectReference } from "./event.ts";
import type { EventBroadcaster, EventRecorder } from "./event-broadcaster.ts";

export type CoreEventBroadcasterOptions = Omit<CoreEventsOptions, "source">;

/** Writes events of core/v1, as kube-controller-manager does. The caller has to start it. */
export function createCoreEventBroadcaster({
  client,
  logger,
  now,
}: CoreEventBroadcasterOptions): EventBroadcaster {
  const all = new Map<string, CoreEvents>();
  return {
    name: "events of controllers",
    group: "httpServers",
    recorder(component) {
      const events =
        all.get(component) ?? new CoreEvents({ client, logger, now, source: { component } });
      all.set(component, events);
      return recorderOf(events);
    },
    async start(signal) {
      if (!signal.aborted) await once(signal, "abort");
      await Promise.all([...all.values()].map((events) => events.flush()));
    },
  };
}

function recorderOf(events: CoreEvents): EventRecorder {
  return {
    event: (regarding, { type, reason, note }) =>
      events.record(subjectOf(regarding), { type, reason, message: note }),
  };
}

function subjectOf(object: KubeObject | ObjectReference): EventSubject {
  const { apiVersion, kind } = object;
  const {
    name = "",
    uid = "",
    namespace,
    resourceVersion,
  } = "metadata" in object ? object.metadata : object;
  return {
    ...{ apiVersion, kind, name, uid },
    ...(namespace && { namespace }),
    ...(resourceVersion && { resourceVersion }),
  };
}
