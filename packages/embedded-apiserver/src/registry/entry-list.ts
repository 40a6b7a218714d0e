import type { KubeList, KubeObject, ListMeta, StoreEntry } from "@rookery/kube";
import { encodedJson, promiseEncoding } from "../store/encoded-json.ts";
import type { ObjectVersions } from "./object-versions.ts";
import type { StorageOptions } from "./storage-options.ts";

/**
 * A list of entries. Its JSON joins the bytes of the entries; objects are parsed only on access.
 */
export async function entryList(
  entries: readonly StoreEntry[],
  how: { metadata: ListMeta; options: StorageOptions; versions: ObjectVersions },
): Promise<KubeList> {
  const { metadata, options, versions } = how;
  const { apiVersion, listKind } = options;
  const isWhole = entries.every((entry) => versions.isWhole(entry));
  let items = isWhole ? undefined : await versions.servedAll(entries);
  const list: KubeList = {
    kind: listKind,
    apiVersion,
    metadata,
    get items(): readonly KubeObject[] {
      items ??= entries.map(({ object }) => object);
      return items;
    },
  };
  promiseEncoding(list, () => {
    const head = JSON.stringify({ kind: listKind, apiVersion, metadata });
    const bytes = isWhole || !items ? entries.map((entry) => entry.bytes) : items.map(bytesOf);
    return joined(head, bytes, headOfItems(options));
  });
  return list;
}

function bytesOf(object: KubeObject): Uint8Array {
  return encodedJson(object) ?? Buffer.from(JSON.stringify(object));
}

/** Joins the head of a list with its items, without the type of each item. */
function joined(head: string, items: readonly Uint8Array[], itemHead: Uint8Array): Uint8Array {
  const begin = Buffer.from(`${head.slice(0, -1)},"items":[`);
  const size = items.reduce((sum, item) => sum + item.byteLength + 1, begin.byteLength + 2);
  const bytes = Buffer.allocUnsafe(size);
  let at = begin.copy(bytes);
  items.forEach((item, index) => {
    if (index > 0) bytes[at++] = characters.comma;
    const skipped = beginsWith(item, itemHead) ? Math.max(0, itemHead.byteLength - 1) : 0;
    bytes.set(skipped > 0 ? item.subarray(skipped) : item, at);
    bytes[at] = characters.openingBrace;
    at += item.byteLength - skipped;
  });
  bytes[at++] = characters.closingBracket;
  bytes[at++] = characters.closingBrace;
  return bytes.subarray(0, at);
}

const characters = { comma: 0x2c, closingBracket: 0x5d, openingBrace: 0x7b, closingBrace: 0x7d };

/** Items of built-in lists omit kind and apiVersion. */
function headOfItems({ kind, apiVersion, rules }: StorageOptions): Uint8Array {
  if (rules.dialect === "custom") return new Uint8Array();
  return Buffer.from(`${JSON.stringify({ kind, apiVersion }).slice(0, -1)},`);
}

function beginsWith(bytes: Uint8Array, head: Uint8Array): boolean {
  for (let index = 0; index < head.byteLength; index++) {
    if (bytes[index] !== head[index]) return false;
  }
  return true;
}
