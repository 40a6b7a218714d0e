import type { Event } from "@rookery/api";
import { validatePathSegmentName } from "@rookery/kube";
import { type BuiltInKind, kindNames } from "../declaration/kind.ts";
import { eventColumns } from "../events/event-columns.ts";
import { eventRules } from "../events/event-rules.ts";
import { validator } from "../meta/rules.ts";

/** In this group all fields of an event may change; in events.k8s.io only its series may. */
export const eventKind: BuiltInKind<Event> = {
  ...kindNames("", "Event", "events"),
  namespaced: true,
  shortNames: ["ev"],
  validateName: validatePathSegmentName,
  validate: validator(eventRules("reportingComponent")),
  validateUpdate: validator(eventRules("reportingComponent")),
  selectableFields: {
    "involvedObject.kind": ({ involvedObject }) => involvedObject?.kind ?? "",
    "involvedObject.namespace": ({ involvedObject }) => involvedObject?.namespace ?? "",
    "involvedObject.name": ({ involvedObject }) => involvedObject?.name ?? "",
    "involvedObject.uid": ({ involvedObject }) => involvedObject?.uid ?? "",
    "involvedObject.apiVersion": ({ involvedObject }) => involvedObject?.apiVersion ?? "",
    "involvedObject.resourceVersion": ({ involvedObject }) => involvedObject?.resourceVersion ?? "",
    "involvedObject.fieldPath": ({ involvedObject }) => involvedObject?.fieldPath ?? "",
    reason: ({ reason = "" }) => reason,
    reportingComponent: ({ reportingComponent = "" }) => reportingComponent,
    source: ({ source, reportingComponent = "" }) => source?.component || reportingComponent,
    type: ({ type = "" }) => type,
  },
  columns: eventColumns((event: Event) => event),
  allowsCreateOnUpdate: true,
};
