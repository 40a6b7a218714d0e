import { isRecord } from "@rookery/kube";
import { writeGoNumber, writeGoString } from "./go-scalar.ts";

/** Objects as a file of YAML documents, byte for byte as clusterctl writes them. */
export function formatGoDocuments(objects: readonly object[]): string {
  return objects.map((object) => `${writeNode(object, 0, "").replace(/^\n/, "")}\n`).join("---\n");
}

/** A node behind a key or a dash; `ahead` is the text of its line before it. */
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
      const inner = isRecord(each) ? indent + 2 : indent;
      return `\n${name}${writeNode(each, inner, name)}`;
    })
    .join("");
}

function writeList(items: readonly unknown[], indent: number): string {
  const space = " ".repeat(indent);
  return items
    .map((item) => {
      const isNested = isRecord(item) || Array.isArray(item);
      const dash = `${space}-`;
      const node = writeNode(item, isNested ? indent + 2 : indent, dash);
      // The first key of a map is in the line of its dash.
      return `\n${dash}${node.replace(/^\n +/, " ")}`;
    })
    .join("");
}

const letter = /\p{L}/u;
const digit = /\p{Nd}/u;

/** The order of keys in Go's YAML: letters last, and numbers by their value. */
function compareGoKeys(a: string, b: string): number {
  const [one, other] = [[...a], [...b]];
  const at = one.findIndex((character, index) => character !== other[index]);
  if (at === -1 || at >= other.length) return one.length - other.length;
  const [x = "", y = ""] = [one[at], other[at]];
  const [isLetter, isOther] = [letter.test(x), letter.test(y)];
  if (isLetter && isOther) return compare(x, y);
  if (isLetter || isOther) return isOther ? -1 : 1;
  return compareNumbers(one, other, at) || compare(x, y);
}

/** Digits behind the same number belong to it: "a01" is behind "a1", and "a10" behind "a2". */
function compareNumbers(one: readonly string[], other: readonly string[], at: number): number {
  const hasZero = one[at] === "0" || other[at] === "0";
  const lead = hasZero && leadsToNumber(one, at) ? "1" : "";
  const [a, b] = [digitsFrom(one, at), digitsFrom(other, at)];
  return Number(lead + a) - Number(lead + b) || a.length - b.length;
}

function leadsToNumber(characters: readonly string[], at: number): boolean {
  for (let index = at - 1; index >= 0; index -= 1) {
    const character = characters[index] ?? "";
    if (!digit.test(character)) return false;
    if (character !== "0") return true;
  }
  return false;
}

function digitsFrom(characters: readonly string[], at: number): string {
  const end = characters.findIndex((one, index) => index >= at && !digit.test(one));
  return characters.slice(at, end === -1 ? undefined : end).join("");
}

function compare(a: string, b: string): number {
  return (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0);
}
