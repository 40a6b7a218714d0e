import type { GroupMapping } from "../mapping/group-mapping.ts";
import type { TextEdit } from "./form.ts";

/** The prefixes of operation names. */
const verbs = [
  ..."get log read replace patch deletecollection delete watch connect proxy list create".split(
    " ",
  ),
];

export type OperationName = "operationId" | "tag";

/**
 * Renames a group in the name of an OpenAPI operation, "listStableExampleComV1NamespacedCronTab",
 * or in its tag, "stableExampleCom_v1". The group must be known, because the text does not show
 * its boundaries, dots and hyphens.
 */
export function operationEdits(
  text: string,
  { group, name }: { readonly group: string; readonly name: OperationName },
  mapping: GroupMapping,
): TextEdit[] {
  const isId = name === "operationId";
  const from = camelCase(group, isId);
  const to = camelCase(mapping.swap(group), isId);
  const start = isId ? startInId(text, from) : startInTag(text, from);
  return start < 0 || from === to ? [] : [{ start, end: start + from.length, text: to }];
}

function startInId(text: string, group: string): number {
  return verbs.find((verb) => text.startsWith(verb + group))?.length ?? -1;
}

function startInTag(text: string, group: string): number {
  return text === group || text.startsWith(`${group}_`) ? 0 : -1;
}

/** As API servers: removes other characters and capitalizes the letter after them. */
function camelCase(group: string, isLarge: boolean): string {
  const name = group.replace(/\.k8s\.io$/, "").replace(/^[^a-zA-Z_]+/, "");
  const camel = name.replace(/[^a-zA-Z0-9_]+(.)?/g, (_, letter: string = "") =>
    letter.toUpperCase(),
  );
  return isLarge ? camel.slice(0, 1).toUpperCase() + camel.slice(1) : camel;
}
