import type { GroupMapping } from "../mapping/group-mapping.ts";
import { applyEdits, type Form, type TextEdit } from "./form.ts";
import { kindsEdits } from "./kinds-in-yaml.ts";
import { messageEdits } from "./message-edits.ts";
import { nameEdit } from "./name-edit.ts";

/** What is renamed in a text that holds no document of its own; nothing in one that does. */
export function textEdits(text: string, form: Form, mapping: GroupMapping): readonly TextEdit[] {
  if (form === "message") return messageEdits(text, mapping);
  if (form === "kindsInYaml") return kindsEdits(text, mapping);
  if (form === "lastApplied" || form === "base64JsonPatch") return [];
  const edit = nameEdit(text, form, mapping);
  return edit === undefined ? [] : [edit];
}

/** The text after `textEdits`. */
export function renameName(text: string, form: Form, mapping: GroupMapping): string {
  return applyEdits(text, textEdits(text, form, mapping));
}
