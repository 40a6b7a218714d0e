import type { Event } from "@rookery/api";
import { FieldError, fieldPath, validateDns1123Subdomain } from "@rookery/kube";
import { invalidEach, validateLabelName } from "../meta/field-rules.ts";

const limits = { reportingInstance: 128, action: 128, reason: 128, message: 1024 } as const;
/** Events of what lies in no namespace may lie in these. */
const systemNamespaces = ["default", "kube-system"];

/**
 * The rules of an event of either group, in the form of the core one. What names its controller is a
 * field with another name in each.
 */
export function validateEvent(event: Event, controllerField: string): FieldError[] {
  const namespace = event.metadata?.namespace ?? "";
  return [
    ...(event.eventTime ? validateNewEvent(event, controllerField) : validateOldEvent(event)),
    ...invalidEach(namespace, validateDns1123Subdomain(namespace), fieldPath("namespace")),
  ];
}

/** One that says when it was seen first and last, as events did before they had a time of their own. */
function validateOldEvent({ involvedObject = {}, metadata = {} }: Event): FieldError[] {
  const { namespace = "" } = metadata;
  const { namespace: involved = "" } = involvedObject;
  const allowed = involved === "" ? ["", "default"] : [involved];
  return allowed.includes(namespace) ? [] : [foreignNamespace(involved)];
}

function foreignNamespace(involved: string): FieldError {
  const path = fieldPath("involvedObject", "namespace");
  return FieldError.invalid(path, involved, "does not match event.namespace");
}

function validateNewEvent(event: Event, controllerField: string): FieldError[] {
  const { involvedObject = {}, reportingComponent = "" } = event;
  const { namespace: involved = "" } = involvedObject;
  const isForeign = involved === "" && !systemNamespaces.includes(event.metadata?.namespace ?? "");
  const controllerPath = fieldPath(controllerField);
  return [
    ...(isForeign ? [foreignNamespace(involved)] : []),
    ...(reportingComponent === "" ? [FieldError.required(controllerPath, "")] : []),
    ...validateLabelName(reportingComponent, controllerPath),
    ...validateText(event, "reportingInstance"),
    ...validateText(event, "action"),
    ...validateText(event, "reason"),
    ...validateLength(event, "message"),
  ];
}

function validateText(event: Event, field: keyof typeof limits): FieldError[] {
  const missing = event[field] ? [] : [FieldError.required(fieldPath(field), "")];
  return [...missing, ...validateLength(event, field)];
}

function validateLength(event: Event, field: keyof typeof limits): FieldError[] {
  if (Buffer.byteLength(event[field] ?? "") <= limits[field]) return [];
  const detail = `can have at most ${limits[field]} characters`;
  return [FieldError.invalid(fieldPath(field), "", detail)];
}
