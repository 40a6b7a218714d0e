import type { Event, EventSeries, EventsEvent } from "@rookery/api";
import { type BuiltInKind, fieldsByPath, kindNames } from "../declaration/kind.ts";
import { immutable, immutableStruct, immutableWith } from "../meta/checks.ts";
import { named, required } from "../meta/combinators.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { check, type Rule, ruleOf } from "../meta/rules.ts";
import { eventColumns } from "./event-columns.ts";
import { eventRules } from "./event-rules.ts";

export const eventKind: BuiltInKind<EventsEvent> = {
  ...kindNames("events.k8s.io", "Event", "events"),
  namespaced: true,
  shortNames: ["ev"],
  storedAs: {
    resource: { group: "", resource: "events" },
    apiVersion: "v1",
    toStored: (event) => toCoreEvent(event),
    fromStored: (event) => fromCoreEvent(event as Event),
  },
  validate: (event) => check(newEvent, toCoreEvent(event), {}),
  validateUpdate: (event, old) =>
    check(changedEvent, toCoreEvent(event), { old: toCoreEvent(old) }),
  selectableFields: fieldsByPath(
    "reason",
    "regarding.kind",
    "regarding.namespace",
    "regarding.name",
    "regarding.uid",
    "regarding.apiVersion",
    "regarding.resourceVersion",
    "regarding.fieldPath",
    "reportingController",
    "type",
  ),
  columns: eventColumns(toCoreEvent),
  allowsCreateOnUpdate: true,
};

const event = eventRules("reportingController");

const series: Rule<EventSeries | undefined> = (own, field) => {
  if (!own) return;
  if ((own.count ?? 0) < 2) field.as("series.count").invalid("", "should be at least 2");
  if (!own.lastObservedTime) field.as("series.lastObservedTime").required();
};

const needsUnset: Rule<unknown> = (value, field) => {
  if (value) field.invalid("", "needs to be unset");
};

/** New events need a time, and have none of the deprecated fields. */
const newEvent = ruleOf<Event>([
  event,
  {
    series,
    eventTime: required(),
    type: (type = "", field) => {
      if (type === "Normal" || type === "Warning") return;
      field.invalid("", `has invalid value: ${type}`);
    },
    firstTimestamp: needsUnset,
    lastTimestamp: needsUnset,
    count: needsUnset,
    source: (source, field) => needsUnset(source?.component || source?.host, field),
  },
]);

const sameText = immutableWith({ zero: "" });

/** Only the series of an event can change. kube-apiserver validates the reason twice. */
const changedEvent = ruleOf<Event>([
  event,
  {
    series: (own, field) => {
      if (!isSameValue(own, field.old)) series(own, field);
    },
    involvedObject: immutableStruct("ObjectReference", { zero: {} }),
    reason: sameText,
    message: sameText,
    source: immutableStruct("EventSource", { zero: {} }),
    firstTimestamp: immutable,
    lastTimestamp: immutable,
    count: immutableWith({ zero: 0 }),
  },
  {
    reason: sameText,
    type: sameText,
    eventTime: immutable,
    action: sameText,
    related: immutableStruct("ObjectReference"),
    reportingComponent: named("reportingController", sameText),
    reportingInstance: sameText,
  },
]);

/** Converts an event of events.k8s.io to the stored core event, with fields in the order of Go. */
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

/** Converts a core event to events.k8s.io. */
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

/** Drops undefined fields. Absent times are null, as in Go. */
function defined(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
