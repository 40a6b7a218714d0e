import type { GroupMapping } from "../mapping/group-mapping.ts";
import type { TextEdit } from "./form.ts";

/** What names of operations begin with. */
const verbs = [
  ..."get log read replace patch deletecollection delete watch connect proxy list create".split(
    " ",
  ),
];

/** What an operation of OpenAPI is called after. */
export type OperationName = "operationId" | "tag";

/**
 * Renames a group in the name of an operation, "listStableExampleComV1NamespacedCronTab", or in its
 * tag, "stableExampleCom_v1". The group itself has to be known: the letters do not tell where it
 * begins, and whether it had a dot or a hyphen.
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

/** As API servers make it: without what is no letter or digit, and the letter after that large. */
function camelCase(group: string, isLarge: boolean): string {
  const name = group.replace(/\.k8s\.io$/, "").replace(/^[^a-zA-Z_]+/, "");
  const camel = name.replace(/[^a-zA-Z0-9_]+(.)?/g, (_, letter: string = "") =>
    letter.toUpperCase(),
  );
  return isLarge ? camel.slice(0, 1).toUpperCase() + camel.slice(1) : camel;
}
