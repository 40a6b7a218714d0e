import { type GroupVersionKind, isEnvelope, protobufMediaType } from "@rookery/kube";
import { apiVersion, type Field, type Message, message, nested, of } from "./message.ts";
import { type Range, textsAt, unreadable } from "./wire-cursor.ts";

/** "k8s" and a zero. */
export const prefixLength = 4;

const typeMeta = nested({ 1: apiVersion });
const withJson = envelopeOf({ type: "json" });
const withMessage = new WeakMap<Message, Message>();

/**
 * The renamed message of an envelope, after its prefix; undefined without a prefix. Throws
 * UnreadableBodyError for an unknown content.
 */
export function envelopeMessage(
  bytes: Buffer,
  { start, end }: Range,
  messageOf: (kind: GroupVersionKind) => Message,
): Message | undefined {
  if (!isEnvelope(bytes.subarray(start, end))) return undefined;
  const range = { start: start + prefixLength, end };
  const text = (...numbers: number[]) => textsAt(bytes, range, numbers).at(-1) ?? "";
  const encoding = text(3);
  if (encoding !== "") throw unreadable("it is encoded once more");
  const kind = text(1, 2);
  if (kind === "") throw unreadable("it does not tell its kind");
  const contentType = text(4);
  if (contentType === "application/json") return withJson;
  if (contentType !== "" && contentType !== protobufMediaType) {
    throw unreadable("it holds an object of another media type than Protobuf and JSON");
  }
  return envelopeAround(messageOf({ ...groupVersionOf(text(1, 1)), kind }));
}

function envelopeAround(object: Message): Message {
  const envelope = withMessage.get(object) ?? envelopeOf(of(object));
  withMessage.set(object, envelope);
  return envelope;
}

function envelopeOf(raw: Field): Message {
  return message({ 1: typeMeta, 2: raw });
}

/** The server rejects an invalid apiVersion. */
function groupVersionOf(text: string): { readonly group: string; readonly version: string } {
  const slash = text.indexOf("/");
  if (slash < 0) return { group: "", version: text };
  return { group: text.slice(0, slash), version: text.slice(slash + 1) };
}

/**
 * All strings at a path of field numbers in an enveloped object, because servers join repeated
 * fields. Throws UnreadableBodyError.
 */
export function protobufTexts(bytes: Buffer, numbers: readonly number[]): string[] {
  if (!isEnvelope(bytes)) throw unreadable("it does not begin as an object does");
  return textsAt(bytes, { start: prefixLength, end: bytes.length }, [2, ...numbers]);
}
