import { randomUUID } from "node:crypto";
import {
  formatApiVersion,
  formatMicroTime,
  type KubeObject,
  validateDns1123Subdomain,
} from "@rookery/kube";
import { shownText } from "../logging/shown-text.ts";
import { type EventType, eventResource, type KubeEvent, type ObjectReference } from "./event.ts";

/** The content of an event about an object. */
export interface EventOptions {
  readonly type: EventType;
  /** Short, in UpperCamelCase, for programs. */
  readonly reason: string;
  /** The action that was done or tried, in UpperCamelCase; the reason by default. */
  readonly action?: string;
  /** For people. The text is cut after 1024 bytes. */
  readonly note: string;
  /** Another object that takes part. */
  readonly related?: KubeObject | ObjectReference;
}

export interface EventSource {
  readonly reportingController: string;
  readonly reportingInstance: string;
}

/** Limits of the API, in bytes. */
const shortLimit = 128;
export const noteLimit = 1024;

/** Makes an event; `serial` makes its name unique among the events of one millisecond. */
export function makeEvent(
  regarding: ObjectReference,
  options: EventOptions,
  from: { readonly source: EventSource; readonly time: Date; readonly serial: number },
): KubeEvent {
  const { type, reason, action = reason, note, related } = options;
  const { source, time, serial } = from;
  return {
    apiVersion: formatApiVersion(eventResource),
    kind: eventResource.kind,
    metadata: {
      name: validName(eventName(regarding.name ?? "", time, serial)),
      namespace: regarding.namespace || "default",
    },
    eventTime: formatMicroTime(time),
    reportingController: source.reportingController,
    reportingInstance: truncate(source.reportingInstance, shortLimit),
    action: truncate(action, shortLimit),
    reason: truncate(reason, shortLimit),
    regarding,
    ...(related && { related: referenceTo(related) }),
    note: truncate(shownText(note, noteLimit), noteLimit),
    type,
  };
}

/** The reference to an object; a reference is returned unchanged. */
export function referenceTo(object: KubeObject | ObjectReference): ObjectReference {
  if (!("metadata" in object)) return object;
  const { apiVersion, kind, metadata } = object;
  const { namespace, name, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    ...(namespace && { namespace }),
    ...(name && { name }),
    ...(uid && { uid }),
    ...(resourceVersion && { resourceVersion }),
  };
}

/** The name of an event as in client-go: "object.17d8c1f0a2b3c4d5". */
export function eventName(object: string, time: Date, serial: number): string {
  const nanoseconds = BigInt(time.getTime()) * 1_000_000n + BigInt(serial % 1_000_000);
  return `${object}.${nanoseconds.toString(16)}`;
}

/** Objects may have names that events cannot have. */
function validName(name: string): string {
  return validateDns1123Subdomain(name).length === 0 ? name : randomUUID();
}

/** Cuts a text to a number of bytes, between two characters. */
export function truncate(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  const ellipsis = "...";
  let end = limit - ellipsis.length;
  // A byte 10xxxxxx continues a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString("utf8", 0, end) + ellipsis;
}
