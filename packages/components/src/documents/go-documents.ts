import { compareGoKeys } from "./go-key-order.ts";
import { writeGoNumber, writeGoString } from "./go-scalar.ts";

/** Objects as a file of YAML documents, byte for byte as clusterctl writes them. */
export function formatGoDocuments(objects: readonly object[]): string {
  return objects.map((object) => `${writeNode(object, 0, "").replace(/^\n/, "")}\n`).join("---\n");
}

/** A node behind a key or a dash; `ahead` is what its line holds so far. */
function writeNode(value: unknown, indent: number, ahead: string): string {
  if (Array.isArray(value)) return value.length > 0 ? writeList(value, indent) : " []";
  if (typeof value === "object" && value !== null) return writeMap(value, indent);
  return ` ${writeScalar(value, indent, ahead)}`;
}

function writeScalar(value: unknown, indent: number, ahead: string): string {
  if (typeof value === "number") return writeGoNumber(value);
  if (typeof value !== "string") return String(value ?? null);
  return writeGoString(value, { column: ahead.length + 1, indent: indent + 2, isKey: false });
}

function writeMap(value: object, indent: number): string {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  if (entries.length === 0) return " {}";
  const space = " ".repeat(indent);
  return entries
    .toSorted(([a], [b]) => compareGoKeys(a, b))
    .map(([key, each]) => {
      const name = `${space}${writeGoString(key, { column: 0, indent: 0, isKey: true })}:`;
      // Lists are not indented below their key.
      const inner = isFilledMap(each) ? indent + 2 : indent;
      return `\n${name}${writeNode(each, inner, name)}`;
    })
    .join("");
}

function writeList(items: readonly unknown[], indent: number): string {
  const space = " ".repeat(indent);
  return items
    .map((item) => {
      const isNested = isFilledMap(item) || Array.isArray(item);
      const dash = `${space}-`;
      const node = writeNode(item, isNested ? indent + 2 : indent, dash);
      // The first key of a map stands beside its dash.
      return `\n${dash}${node.replace(/^\n +/, " ")}`;
    })
    .join("");
}

function isFilledMap(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
