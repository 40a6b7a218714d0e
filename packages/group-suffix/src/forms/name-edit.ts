import type { GroupMapping } from "../mapping/group-mapping.ts";
import type { NameForm, TextEdit } from "./form.ts";

/** Where the group stands in a text. */
type Range = readonly [start: number, end: number];

const pathPattern = /^\/?(?:openapi\/v3\/)?apis\/([^/?#*]+)/;

/** What renames the one group that the text names; undefined where it names none that is mapped. */
export function nameEdit(
  text: string,
  form: NameForm,
  mapping: GroupMapping,
): TextEdit | undefined {
  if (form === "modelReference") return modelEdit(text, text.lastIndexOf("/") + 1, mapping);
  if (form === "modelName") return modelEdit(text, 0, mapping);
  const [start, end] = groupRange(text, form);
  const group = text.slice(start, end);
  const swapped = mapping.swap(group);
  return swapped === group ? undefined : { start, end, text: swapped };
}

function groupRange(text: string, form: Exclude<NameForm, "modelName" | "modelReference">): Range {
  switch (form) {
    case "group":
      return [0, text.length];
    case "apiVersion":
      return [0, Math.max(text.indexOf("/"), 0)];
    case "resourceName":
      return afterFirstDot(text, text.indexOf("/") + 1);
    case "versionedGroup":
      return afterFirstDot(text, 0);
    case "groupResource":
      return [0, Math.max(text.lastIndexOf("."), 0)];
    case "path":
      return pathRange(text);
  }
}

/** A plural name and a version have no dots. */
function afterFirstDot(text: string, from: number): Range {
  const dot = text.indexOf(".", from);
  return dot < 0 ? [0, 0] : [dot + 1, text.length];
}

function pathRange(text: string): Range {
  const match = pathPattern.exec(text);
  if (match?.[1] === undefined) return [0, 0];
  const end = match[0].length;
  return [end - match[1].length, end];
}

/** The group stands with its labels in reverse before version and kind. */
function modelEdit(text: string, from: number, mapping: GroupMapping): TextEdit | undefined {
  const labels = text.slice(from).split(".");
  if (labels.length < 3) return undefined;
  const group = labels.slice(0, -2).reverse().join(".");
  const swapped = mapping.swap(group);
  if (swapped === group) return undefined;
  const reversed = swapped.split(".").reverse().join(".");
  return { start: from, end: from + group.length, text: reversed };
}
