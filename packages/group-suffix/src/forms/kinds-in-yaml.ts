import type { GroupMapping } from "../mapping/group-mapping.ts";
import type { TextEdit } from "./form.ts";

const groupField = /^[ -]*group: (.*)$/gm;

/** Renames the groups of kinds that are written as a map, or a list of maps, in YAML. */
export function kindsEdits(text: string, mapping: GroupMapping): TextEdit[] {
  return groupRanges(text).flatMap(({ start, end }) => {
    const group = text.slice(start, end);
    const swapped = mapping.swap(group);
    return swapped === group ? [] : [{ start, end, text: swapped }];
  });
}

/** The groups of such kinds. */
export function groupsOfKinds(text: string): string[] {
  return groupRanges(text).map(({ start, end }) => text.slice(start, end));
}

function groupRanges(text: string): Pick<TextEdit, "start" | "end">[] {
  return [...text.matchAll(groupField)].map(({ 0: line, 1: group = "", index }) => {
    const end = index + line.length;
    return { start: end - group.length, end };
  });
}
