import type { GroupMapping } from "../mapping/group-mapping.ts";
import { applyEdits, type Form } from "./form.ts";
import { messageEdits } from "./message-edits.ts";
import { nameEdit } from "./name-edit.ts";

/** Returns the same string where nothing matches. */
export function renameText(text: string, form: Form, mapping: GroupMapping): string {
  if (form === "message") return applyEdits(text, messageEdits(text, mapping));
  if (form === "lastApplied" || form === "base64JsonPatch") return text;
  const edit = nameEdit(text, form, mapping);
  return edit === undefined ? text : applyEdits(text, [edit]);
}
