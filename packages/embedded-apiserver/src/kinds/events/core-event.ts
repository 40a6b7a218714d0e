import type { Event, EventsEvent } from "@rookery/api";

/** An event of events.k8s.io as the core one that is stored. The order of fields is that of Go. */
export function toCoreEvent(event: EventsEvent): Event {
  return defined({
    apiVersion: "v1",
    kind: "Event",
    metadata: event.metadata,
    involvedObject: event.regarding ?? {},
    reason: event.reason,
    message: event.note,
    source: event.deprecatedSource ?? {},
    firstTimestamp: event.deprecatedFirstTimestamp ?? null,
    lastTimestamp: event.deprecatedLastTimestamp ?? null,
    count: event.deprecatedCount,
    type: event.type,
    eventTime: event.eventTime ?? null,
    series: event.series,
    action: event.action,
    related: event.related,
    reportingComponent: event.reportingController ?? "",
    reportingInstance: event.reportingInstance ?? "",
  }) as Event;
}

/** A core event as one of events.k8s.io. */
export function fromCoreEvent(event: Event): EventsEvent {
  return defined({
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: event.metadata,
    eventTime: event.eventTime ?? null,
    series: event.series,
    reportingController: event.reportingComponent || undefined,
    reportingInstance: event.reportingInstance || undefined,
    action: event.action,
    reason: event.reason,
    regarding: event.involvedObject ?? {},
    related: event.related,
    note: event.message,
    type: event.type,
    deprecatedSource: event.source ?? {},
    deprecatedFirstTimestamp: event.firstTimestamp ?? null,
    deprecatedLastTimestamp: event.lastTimestamp ?? null,
    deprecatedCount: event.count,
  }) as EventsEvent;
}

/** Without the fields that are not there. Times that are not there are null, as in Go. */
function defined(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
