import { maxReported, walkKeys } from "./duplicate-fields.ts";

/**
 * What a strict reader says of JSON text, in the order of the text: the fields that are not known,
 * and those that are there twice, unless they are inside of one that is not known.
 */
export function strictProblemsOf(text: string, unknownFields: readonly string[]): string[] {
  const unknown = new Set(unknownFields);
  const problems = new Set<string>();
  walkKeys(text, (path, isRepeated) => {
    const isUnknown = unknown.has(path);
    if (problems.size >= maxReported) return true;
    if (isUnknown) problems.add(`unknown field "${path}"`);
    else if (isRepeated) problems.add(`duplicate field "${path}"`);
    return isUnknown;
  });
  return [...problems];
}
