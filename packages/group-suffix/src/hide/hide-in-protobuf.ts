import { decodeEnvelope, encodeEnvelope, WireError, WireReader, WireWriter } from "@rookery/kube";
import { unreadable } from "../protobuf/wire-cursor.ts";
import { groupOfModel, groupOfPath, type IsHidden } from "./hide-in-text.ts";

/** Entries of a message that are removed by name. */
interface Entries {
  readonly field: number;
  readonly name: readonly number[];
  groupOf(name: string): string;
}

const group = (name: string) => name;

/** The legacy list, and the aggregated one, whose entries are objects. */
const lists = new Map<string, Entries>([
  ["APIGroupList", { field: 1, name: [1], groupOf: group }],
  ["APIGroupDiscoveryList", { field: 2, name: [1, 1], groupOf: group }],
]);

/** The fields 8 and 9 of OpenAPI version 2. */
const openApiPaths: Entries = { field: 2, name: [1], groupOf: groupOfPath };
const openApiDefinitions: Entries = { field: 1, name: [1], groupOf: groupOfModel };

/**
 * Removes hidden groups. Returns the same array where there are none. Errors: UnreadableBodyError.
 */
export function hideInGroupListProtobuf(body: Uint8Array, isHidden: IsHidden): Uint8Array {
  return reading(() => {
    const envelope = decodeEnvelope(body);
    const entries = lists.get(envelope.typeMeta.kind);
    if (entries === undefined || envelope.raw === undefined) return body;
    const raw = without(envelope.raw, entries, isHidden);
    if (raw.length === envelope.raw.length) return body;
    return encodeEnvelope({ ...envelope, raw }).finish();
  });
}

/**
 * Removes paths and models of hidden groups from OpenAPI version 2. Errors: UnreadableBodyError.
 */
export function hideInOpenApiProtobuf(body: Uint8Array, isHidden: IsHidden): Uint8Array {
  return reading(() => {
    const reader = new WireReader(body);
    const writer = new WireWriter();
    while (reader.next()) {
      const entries = { 8: openApiPaths, 9: openApiDefinitions }[reader.field];
      if (entries !== undefined) {
        writer.bytes(reader.field, without(reader.bytes(), entries, isHidden));
      } else {
        reader.skip();
        writer.raw(reader.raw());
      }
    }
    return writer.finish();
  });
}

function reading(hide: () => Uint8Array): Uint8Array {
  try {
    return hide();
  } catch (error) {
    if (error instanceof WireError) throw unreadable(error.reason);
    throw error;
  }
}

function without(
  message: Uint8Array,
  { field, name, groupOf }: Entries,
  isHidden: IsHidden,
): Uint8Array {
  const reader = new WireReader(message);
  const writer = new WireWriter();
  while (reader.next()) {
    const isDropped = reader.field === field && isHidden(groupOf(textAt(reader.bytes(), name)));
    if (reader.field !== field) reader.skip();
    if (!isDropped) writer.raw(reader.raw());
  }
  return writer.finish();
}

/** The text at a path of field numbers, or "". */
function textAt(message: Uint8Array, [number, ...rest]: readonly number[]): string {
  const reader = new WireReader(message);
  let text = "";
  while (reader.next()) {
    if (reader.field !== number) reader.skip();
    else text = rest.length === 0 ? reader.string() : textAt(reader.bytes(), rest);
  }
  return text;
}
