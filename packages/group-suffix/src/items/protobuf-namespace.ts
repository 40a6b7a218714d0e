import { isEnvelope } from "@rookery/kube";
import { prefixLength } from "../protobuf/envelope.ts";
import { lastValue, type Range, textsAt } from "../protobuf/wire-cursor.ts";

/** The namespace of an object's message; "" without one, undefined where unknown. */
export function namespaceOfMessage(bytes: Buffer, object: Range): string | undefined {
  const metadata = lastValue(bytes, object, 1);
  if (metadata === undefined) return undefined;
  const namespace = lastValue(bytes, metadata, 3);
  return namespace === undefined ? "" : bytes.toString("latin1", namespace.start, namespace.end);
}

/** As `namespaceOfMessage`, for a watch event; "" for bookmarks and errors. */
export function namespaceOfFrame(frame: Buffer): string | undefined {
  const event = { start: 0, end: frame.length };
  const type = textsAt(frame, event, [1]).at(-1);
  if (type === "BOOKMARK" || type === "ERROR") return "";
  const extension = lastValue(frame, event, 2);
  const raw = extension && lastValue(frame, extension, 1);
  if (raw === undefined || !isEnvelope(frame.subarray(raw.start, raw.end))) return undefined;
  const object = lastValue(frame, { start: raw.start + prefixLength, end: raw.end }, 2);
  return object && namespaceOfMessage(frame, object);
}
