import type { Event } from "@rookery/api";
import { validatePathSegmentName } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { eventColumns } from "../events/event-columns.ts";
import { validateEvent } from "../events/event-rules.ts";
import { coreNames } from "./core-names.ts";

const controllerField = "reportingComponent";

/** In this group an event may change in all that it says; in its own one, only in its series. */
export const eventKind: BuiltInKind<Event> = {
  ...coreNames("Event", "events"),
  namespaced: true,
  shortNames: ["ev"],
  validateName: validatePathSegmentName,
  validate: (event) => validateEvent(event, controllerField),
  validateUpdate: (event) => validateEvent(event, controllerField),
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
