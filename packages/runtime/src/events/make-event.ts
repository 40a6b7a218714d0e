import { randomUUID } from "node:crypto";
import {
  formatApiVersion,
  formatMicroTime,
  type KubeObject,
  validateDns1123Subdomain,
} from "@rookery/kube";
import { shownText } from "../logging/shown-text.ts";
import { type EventType, eventResource, type KubeEvent, type ObjectReference } from "./event.ts";

/** What somebody has to tell about an object. */
export interface EventOptions {
  readonly type: EventType;
  /** Short, in UpperCamelCase: for programs that tell events apart. */
  readonly reason: string;
  /** What was done or tried, in UpperCamelCase; the reason where absent. */
  readonly action?: string;
  /** For people. What is past 1024 bytes is cut off. */
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
const noteLimit = 1024;

/** Makes the event; `time` is made unique by `serial` where many come in one millisecond. */
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
      name: eventName(regarding.name ?? "", time, serial),
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

/** The reference to an object; a reference stays as it is. */
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

/** "object.17d8c1f0a2b3c4d5", as client-go names them; a UUID where that is no name. */
function eventName(object: string, time: Date, serial: number): string {
  const nanoseconds = BigInt(time.getTime()) * 1_000_000n + BigInt(serial % 1_000_000);
  const name = `${object}.${nanoseconds.toString(16)}`;
  return validateDns1123Subdomain(name).length === 0 ? name : randomUUID();
}

/** Cuts a text to so many bytes, between two characters. */
export function truncate(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  const ellipsis = "...";
  let end = limit - ellipsis.length;
  // A byte 10xxxxxx goes on with a character that began before.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString("utf8", 0, end) + ellipsis;
}
