import type { GroupMapping } from "../mapping/group-mapping.ts";
import { applyEdits, type Form, type NameForm, type TextEdit } from "./form.ts";

/** The place of a group in a text. */
type Range = readonly [start: number, end: number];

const pathPattern = /^\/?(?:openapi\/v3\/)?apis\/([^/?#*]+)/;

/** The edit that renames the group of a text; undefined without a mapped group. */
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

/** Plurals and versions contain no dots. */
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

/** Model names contain the reversed labels of the group before version and kind. */
function modelEdit(text: string, from: number, mapping: GroupMapping): TextEdit | undefined {
  const labels = text.slice(from).split(".");
  if (labels.length < 3) return undefined;
  const group = labels.slice(0, -2).reverse().join(".");
  const swapped = mapping.swap(group);
  if (swapped === group) return undefined;
  const reversed = swapped.split(".").reverse().join(".");
  return { start: from, end: from + group.length, text: reversed };
}

const word = /[A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9]/g;

/**
 * Renames groups in messages, by whole words: "crontabs.example.com", "example.com/v1",
 * "CronTab.v1.example.com". Hosts of URLs and texts after an "@" are not groups.
 */
export function messageEdits(text: string, mapping: GroupMapping): TextEdit[] {
  const edits: TextEdit[] = [];
  for (const { 0: token, index } of text.matchAll(word)) {
    const end = index + token.length;
    if (!token.includes(".") || isHost(text, index)) continue;
    const swapped = swapToken(token, text.charAt(end) === "/", mapping);
    if (swapped !== token) edits.push({ start: index, end, text: swapped });
  }
  return edits;
}

function isHost(text: string, index: number): boolean {
  return text.startsWith("://", index - 3) || text.charAt(index - 1) === "@";
}

/** A resource or a kind, and a version, may precede the group. */
function swapToken(token: string, isApiVersion: boolean, mapping: GroupMapping): string {
  const swapped = mapping.swap(token);
  if (swapped !== token || isApiVersion) return swapped;
  for (let i = 0, dot = token.indexOf("."); i < 2 && dot >= 0; i++) {
    const rest = token.slice(dot + 1);
    const other = mapping.swap(rest);
    if (other !== rest) return token.slice(0, dot + 1) + other;
    dot = token.indexOf(".", dot + 1);
  }
  return token;
}

/** The edits of a text that is not a document; none for documents. */
export function textEdits(text: string, form: Form, mapping: GroupMapping): readonly TextEdit[] {
  if (form === "message") return messageEdits(text, mapping);
  if (form === "kindsInYaml") return kindsEdits(text, mapping);
  if (form === "lastApplied" || form === "base64JsonPatch") return [];
  const edit = nameEdit(text, form, mapping);
  return edit === undefined ? [] : [edit];
}

export function renameName(text: string, form: Form, mapping: GroupMapping): string {
  return applyEdits(text, textEdits(text, form, mapping));
}

const groupField = /^[ -]*group: (.*)$/gm;

/** Renames the groups of kinds in YAML maps, or in lists of maps. */
function kindsEdits(text: string, mapping: GroupMapping): TextEdit[] {
  return groupRanges(text).flatMap(({ start, end }) => {
    const group = text.slice(start, end);
    const swapped = mapping.swap(group);
    return swapped === group ? [] : [{ start, end, text: swapped }];
  });
}

export function groupsOfKinds(text: string): string[] {
  return groupRanges(text).map(({ start, end }) => text.slice(start, end));
}

function groupRanges(text: string): Pick<TextEdit, "start" | "end">[] {
  return [...text.matchAll(groupField)].map(({ 0: line, 1: group = "", index }) => {
    const end = index + line.length;
    return { start: end - group.length, end };
  });
}
