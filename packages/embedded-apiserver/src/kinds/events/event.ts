import type { Event, EventsEvent } from "@rookery/api";
import { FieldError, fieldPath } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { immutableDetail, isSameValue } from "../meta/field-rules.ts";
import { fromCoreEvent, toCoreEvent } from "./core-event.ts";
import { eventColumns } from "./event-columns.ts";
import { validateEvent } from "./event-rules.ts";
import { shownReference, shownSource } from "./shown-event.ts";

export const eventKind: BuiltInKind<EventsEvent> = {
  group: "events.k8s.io",
  version: "v1",
  kind: "Event",
  plural: "events",
  singular: "event",
  namespaced: true,
  shortNames: ["ev"],
  goType: "k8s.io/api/events/v1.Event",
  model: "io.k8s.api.events.v1.Event",
  storedAs: {
    resource: { group: "", resource: "events" },
    apiVersion: "v1",
    toStored: (event) => toCoreEvent(event),
    fromStored: (event) => fromCoreEvent(event as Event),
  },
  validate: (event) => validateNew(toCoreEvent(event)),
  validateUpdate: (event, old) => validateChange(toCoreEvent(event), toCoreEvent(old)),
  selectableFields: {
    reason: ({ reason = "" }) => reason,
    "regarding.kind": ({ regarding }) => regarding?.kind ?? "",
    "regarding.namespace": ({ regarding }) => regarding?.namespace ?? "",
    "regarding.name": ({ regarding }) => regarding?.name ?? "",
    "regarding.uid": ({ regarding }) => regarding?.uid ?? "",
    "regarding.apiVersion": ({ regarding }) => regarding?.apiVersion ?? "",
    "regarding.resourceVersion": ({ regarding }) => regarding?.resourceVersion ?? "",
    "regarding.fieldPath": ({ regarding }) => regarding?.fieldPath ?? "",
    reportingController: ({ reportingController = "" }) => reportingController,
    type: ({ type = "" }) => type,
  },
  columns: eventColumns(toCoreEvent),
  allowsCreateOnUpdate: true,
};

/** New events say when they were, and nothing in the fields of old ones. */
function validateNew(event: Event): FieldError[] {
  const { type = "", source = {} } = event;
  const unset = (field: string, isSet: unknown) =>
    isSet ? [FieldError.invalid(fieldPath(field), "", "needs to be unset")] : [];
  const isKnown = type === "Normal" || type === "Warning";
  return [
    ...validateEvent(event, "reportingController"),
    ...validateSeries(event),
    ...(event.eventTime ? [] : [FieldError.required(fieldPath("eventTime"), "")]),
    ...(isKnown ? [] : [FieldError.invalid(fieldPath("type"), "", `has invalid value: ${type}`)]),
    ...unset("firstTimestamp", event.firstTimestamp),
    ...unset("lastTimestamp", event.lastTimestamp),
    ...unset("count", event.count),
    ...unset("source", source.component || source.host),
  ];
}

function validateSeries({ series }: Event): FieldError[] {
  if (!series) return [];
  const detail = "should be at least 2";
  const isShort = (series.count ?? 0) < 2;
  return [
    ...(isShort ? [FieldError.invalid(fieldPath("series.count"), "", detail)] : []),
    ...(series.lastObservedTime
      ? []
      : [FieldError.required(fieldPath("series.lastObservedTime"), "")]),
  ];
}

/** Nothing but the series of an event changes. */
function validateChange(event: Event, old: Event): FieldError[] {
  const fixed = <T>(
    field: string,
    value: (event: Event) => T,
    shown: (value: T) => unknown = (each) => each,
  ) =>
    isSameValue(value(event), value(old))
      ? []
      : [FieldError.invalid(fieldPath(field), shown(value(event)), immutableDetail)];
  return [
    ...validateEvent(event, "reportingController"),
    ...(isSameValue(event.series, old.series) ? [] : validateSeries(event)),
    ...fixed("involvedObject", ({ involvedObject = {} }) => involvedObject, shownReference),
    ...fixed("reason", ({ reason = "" }) => reason),
    ...fixed("message", ({ message = "" }) => message),
    ...fixed("source", ({ source = {} }) => source, shownSource),
    ...fixed("firstTimestamp", ({ firstTimestamp }) => firstTimestamp ?? null),
    ...fixed("lastTimestamp", ({ lastTimestamp }) => lastTimestamp ?? null),
    ...fixed("count", ({ count = 0 }) => count),
    // kube-apiserver looks at the reason twice.
    ...fixed("reason", ({ reason = "" }) => reason),
    ...fixed("type", ({ type = "" }) => type),
    ...fixed("eventTime", ({ eventTime }) => eventTime ?? null),
    ...fixed("action", ({ action = "" }) => action),
    ...fixed(
      "related",
      ({ related }) => related,
      (each) => each && shownReference(each),
    ),
    ...fixed("reportingController", ({ reportingComponent = "" }) => reportingComponent),
    ...fixed("reportingInstance", ({ reportingInstance = "" }) => reportingInstance),
  ];
}
