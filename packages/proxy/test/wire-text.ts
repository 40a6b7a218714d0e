import { decodeEnvelope, FrameReader, isEnvelope, WireReader, wireTypes } from "@rookery/kube";

/**
 * A Protobuf message as text without its schema: a field that reads as a message is one, unless it is
 * text. Fields of a message are in the order of their text, because lists are in the order of names.
 * Good enough to compare two messages of the same kind.
 */
export function wireText(bytes: Uint8Array, clean: Clean, indent = ""): string {
  if (isEnvelope(bytes)) {
    const { typeMeta, raw = new Uint8Array() } = decodeEnvelope(bytes);
    return `${typeMeta.apiVersion} ${typeMeta.kind}\n${wireText(raw, clean, indent)}`;
  }
  const fields = fieldsOf(bytes) ?? [["?", bytes]];
  return fields
    .map(([name, value]) => `${indent}${name}: ${valueText(value, clean, indent)}`)
    .toSorted()
    .join("\n");
}

/** The events of a watch in Protobuf, one after another. */
export function framesText(bytes: Uint8Array, clean: Clean): string {
  const frames: string[] = [];
  const reader = new FrameReader();
  for (const frame of reader.push(bytes)) frames.push(wireText(frame, clean));
  return frames.join("\n---\n");
}

/** Takes out of a text what differs from cluster to cluster. */
type Clean = (text: string) => string;

type Field = readonly [name: string, value: Uint8Array | bigint];

/** Undefined where the bytes are no message. */
function fieldsOf(bytes: Uint8Array): Field[] | undefined {
  const reader = new WireReader(bytes);
  const fields: Field[] = [];
  try {
    while (reader.next()) {
      const name = `${reader.field}`;
      if (reader.wireType === wireTypes.varint) fields.push([name, reader.uint64()]);
      else if (reader.wireType === wireTypes.bytes) fields.push([name, reader.bytes()]);
      else return undefined;
    }
    return fields;
  } catch {
    return undefined;
  }
}

function valueText(value: Uint8Array | bigint, clean: Clean, indent: string): string {
  // Seconds of a time are the only numbers that large.
  if (typeof value === "bigint") return value > 1_500_000_000n ? "<time>" : `${value}`;
  const text = new TextDecoder().decode(value);
  // The hash of a storage version is made from the name of the group.
  if (/^[\w+/]{11}=$/.test(text)) return "<hash>";
  const isText = !/[^\n\t -~]/.test(text) || (!isEnvelope(value) && !fieldsOf(value));
  if (isText) return JSON.stringify(/^\d+$/.test(text) ? "<number>" : clean(text));
  return `{\n${wireText(value, clean, `${indent}  `)}\n${indent}}`;
}
