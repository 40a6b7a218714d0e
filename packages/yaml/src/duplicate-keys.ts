import { type Document, isMap, isPair, isScalar, isSeq, YAMLParseError } from "yaml";

/** The keys that a map of a document has had before, in the library's words. */
export function duplicateKeys({ contents }: Pick<Document.Parsed, "contents">): YAMLParseError[] {
  const found: YAMLParseError[] = [];
  const open: unknown[] = [contents];
  while (open.length > 0) {
    const node = open.pop();
    if (isMap(node)) addRepeated(node.items, found);
    if (isMap(node) || isSeq(node)) for (const item of node.items) open.push(item);
    else if (isPair(node)) open.push(node.key, node.value);
  }
  return found.sort((a, b) => a.pos[0] - b.pos[0]);
}

function addRepeated(items: readonly { readonly key: unknown }[], found: YAMLParseError[]): void {
  const seen = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) {
      const start = key.range?.[0] ?? 0;
      found.push(
        new YAMLParseError([start, start + 1], "DUPLICATE_KEY", "Map keys must be unique"),
      );
    }
    seen.add(key.value);
  }
}
