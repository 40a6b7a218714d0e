import type { BuiltInCustomResourceDefinitionVersion } from "@rookery/api";

/** What is wrong with the warning that clients of a version get. */
export function deprecationProblems({
  deprecated,
  deprecationWarning,
}: BuiltInCustomResourceDefinitionVersion): string[] {
  const warning = deprecationWarning ?? undefined;
  if (warning === undefined) return [];
  if (!deprecated) return ["can only be set for deprecated versions"];
  const unprintable = [...warning].findIndex((character) => !isPrintable(character));
  return [
    ...(Buffer.byteLength(warning) > 256 ? ["must be <= 256 characters long"] : []),
    ...(warning === "" ? ["must not be an empty string"] : []),
    ...(unprintable === -1
      ? []
      : [
          `must only contain printable UTF-8 characters; non-printable character found at index ${byteIndex(warning, unprintable)}`,
        ]),
  ];
}

/** Letters, marks, numbers, punctuation, symbols and the plain space, as Go's unicode.IsPrint. */
function isPrintable(character: string): boolean {
  return character === " " || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character);
}

function byteIndex(text: string, character: number): number {
  return Buffer.byteLength([...text].slice(0, character).join(""));
}
