import type { Event } from "@rookery/api";
import { validatePathSegmentName } from "@rookery/kube";
import { type BuiltInKind, fieldsByPath, kindNames } from "../declaration/kind.ts";
import { eventColumns } from "../events/event-columns.ts";
import { eventRules } from "../events/event-rules.ts";
import { validator } from "../meta/rules.ts";

/** All fields of an event can change; in events.k8s.io only the series can. */
export const eventKind: BuiltInKind<Event> = {
  ...kindNames("", "Event", "events"),
  namespaced: true,
  shortNames: ["ev"],
  validateName: validatePathSegmentName,
  validate: validator(eventRules("reportingComponent")),
  validateUpdate: validator(eventRules("reportingComponent")),
  selectableFields: {
    ...fieldsByPath(
      "involvedObject.kind",
      "involvedObject.namespace",
      "involvedObject.name",
      "involvedObject.uid",
      "involvedObject.apiVersion",
      "involvedObject.resourceVersion",
      "involvedObject.fieldPath",
      "reason",
      "reportingComponent",
      "type",
    ),
    source: ({ source, reportingComponent = "" }) => source?.component || reportingComponent,
  },
  columns: eventColumns((event: Event) => event),
  allowsCreateOnUpdate: true,
};
