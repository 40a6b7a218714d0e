import { decodeEnvelope, encodeEnvelope, WireError, WireReader, WireWriter } from "@rookery/kube";
import { unreadable } from "../protobuf/wire-cursor.ts";
import { groupOfModel, groupOfPath, type IsHidden } from "./hide-in-text.ts";

/** Entries of a message, by whose names they are left out. */
interface Entries {
  readonly field: number;
  readonly name: readonly number[];
  /** The group that a name tells of. */
  groupOf(name: string): string;
}

const group = (name: string) => name;

/** The legacy list, and the aggregated one, whose entries are objects. */
const lists = new Map<string, Entries>([
  ["APIGroupList", { field: 1, name: [1], groupOf: group }],
  ["APIGroupDiscoveryList", { field: 2, name: [1, 1], groupOf: group }],
]);

/** What OpenAPI version 2 has in its fields 8 and 9. */
const openApiPaths: Entries = { field: 2, name: [1], groupOf: groupOfPath };
const openApiDefinitions: Entries = { field: 1, name: [1], groupOf: groupOfModel };

/**
 * A list of groups without hidden ones. The very same array where it has none, and where it is no list
 * of groups. Errors: UnreadableBodyError.
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

/** A document of OpenAPI version 2 without paths and models of hidden groups. Errors: UnreadableBodyError. */
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

/** The text that numbers of fields lead to; "" where there is none. */
function textAt(message: Uint8Array, [number, ...rest]: readonly number[]): string {
  const reader = new WireReader(message);
  let text = "";
  while (reader.next()) {
    if (reader.field !== number) reader.skip();
    else text = rest.length === 0 ? reader.string() : textAt(reader.bytes(), rest);
  }
  return text;
}
