import type { ByteEdit } from "../byte-edits.ts";
import type { Form } from "../forms/form.ts";

/** A string that was read, and what is renamed in it. */
export interface KnownText {
  readonly text: string;
  /** Their positions count from the string's start. */
  readonly edits: readonly ByteEdit[];
  readonly form: Form | undefined;
  /** Its bytes in the body, with the closing quote. */
  readonly raw: Uint8Array;
}

/** The forms of documents: what is renamed in them depends on more than their text. */
const documents: ReadonlySet<Form | undefined> = new Set(["lastApplied", "base64JsonPatch"]);
const longest = 96;

/** Whether the string is worth to be compared with the next one, and means the same there. */
export function isRemembered(
  { raw }: KnownText,
  { form, edits }: { readonly form: Form | undefined; readonly edits: unknown },
): boolean {
  return raw.length <= longest && edits === undefined && !documents.has(form);
}

/** Whether this string begins at `start`: the quote at its end makes it the whole of it. */
export function beginsAt({ raw }: KnownText, bytes: Uint8Array, start: number): boolean {
  const { length } = raw;
  if (start + length > bytes.length) return false;
  for (let i = 0; i < length; i++) {
    if (raw[i] !== bytes[start + i]) return false;
  }
  return true;
}
