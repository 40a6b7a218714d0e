import { decodeEnvelope, encodeEnvelope, WireError, WireReader, WireWriter } from "@rookery/kube";
import type { GroupMapping } from "../mapping/group-mapping.ts";
import { unreadable } from "./wire-cursor.ts";

/** Where a list of groups has its entries, and where an entry has the name of its group. */
interface GroupList {
  readonly entries: number;
  readonly name: readonly number[];
}

/** The legacy list, and the aggregated one, whose entries are objects. */
const lists = new Map<string, GroupList>([
  ["APIGroupList", { entries: 1, name: [1] }],
  ["APIGroupDiscoveryList", { entries: 2, name: [1, 1] }],
]);

/**
 * Leaves the groups out of a list of groups that are real ones of the mapping: nobody can ask for
 * them. The very same array where it has none, and where it is no list of groups. Errors:
 * UnreadableBodyError.
 */
export function hideRealGroups(body: Uint8Array, mapping: GroupMapping): Uint8Array {
  try {
    return withoutRealGroups(body, mapping);
  } catch (error) {
    if (error instanceof WireError) throw unreadable(error.reason);
    throw error;
  }
}

function withoutRealGroups(body: Uint8Array, mapping: GroupMapping): Uint8Array {
  const envelope = decodeEnvelope(body);
  const list = lists.get(envelope.typeMeta.kind);
  if (list === undefined || envelope.raw === undefined) return body;
  const reader = new WireReader(envelope.raw);
  const writer = new WireWriter();
  while (reader.next()) {
    const isHidden = reader.field === list.entries && isReal(reader.bytes(), list, mapping);
    if (reader.field !== list.entries) reader.skip();
    if (!isHidden) writer.raw(reader.raw());
  }
  if (writer.length === envelope.raw.length) return body;
  return encodeEnvelope({ ...envelope, raw: writer.finish() }).finish();
}

function isReal(entry: Uint8Array, { name }: GroupList, mapping: GroupMapping): boolean {
  return mapping.isReal(textAt(entry, name));
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
