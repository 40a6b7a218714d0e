import { resolveScalar } from "../../src/documents/scalar.ts";

/** Objects as a file of YAML documents, which every YAML reader reads back the same. */
export function formatDocuments(objects: readonly object[]): string {
  return objects.map((object) => `${writeBlock(object, "").slice(1)}\n`).join("---\n");
}

/** A value behind a key or a dash: on the same line after a space, or in the lines below. */
function writeValue(value: unknown, indent: string): string {
  if (typeof value === "string") return ` ${writeString(value, indent)}`;
  if (typeof value !== "object" || value === null) return ` ${value === undefined ? null : value}`;
  if (Object.keys(value).length === 0) return Array.isArray(value) ? " []" : " {}";
  return writeBlock(value, indent);
}

function writeBlock(value: object, indent: string): string {
  if (Array.isArray(value)) {
    return value.map((item) => `\n${indent}-${writeItem(item, `${indent}  `)}`).join("");
  }
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  if (entries.length === 0) return " {}";
  return entries
    .map(([name, each]) => {
      const inner = Array.isArray(each) ? indent : `${indent}  `;
      return `\n${indent}${writeKey(name)}:${writeValue(each, inner)}`;
    })
    .join("");
}

/** The first key of a mapping stands beside its dash. */
function writeItem(item: unknown, indent: string): string {
  return writeValue(item, indent).replace(/^\n +/, " ");
}

function writeKey(name: string): string {
  return isPlain(name) ? name : JSON.stringify(name);
}

function writeString(text: string, indent: string): string {
  if (isPlain(text)) return text;
  // A literal block cannot hold control characters, and says nothing of spaces at its ends.
  const isLiteral = /\n/.test(text) && !/[^\n\x20-\x7e\xa0-\ud7ff]|^[\s]|\n\s*$|[ ]\n/.test(text);
  if (!isLiteral) return JSON.stringify(text);
  return `|-\n${text.replace(/^(?=.)/gm, indent || "  ")}`;
}

function isPlain(text: string): boolean {
  const isSimple =
    /^[A-Za-z_/][\w ./-]*$/.test(text) || /^[\d.][\w./-]*[A-Za-z][\w./-]*$/.test(text);
  return isSimple && !text.endsWith(" ") && resolveScalar(text) === text;
}
