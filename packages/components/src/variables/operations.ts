import { compileGlob } from "./glob.ts";

type Operation = (value: string, args: readonly string[]) => string;

/** The operations of github.com/drone/envsubst. */
const operations: Readonly<Record<string, Operation>> = {
  ",": (value) => mapFirst(value, (first) => first.toLowerCase()),
  ",,": (value) => mapCharacters(value, (character) => character.toLowerCase()),
  "^": (value) => mapFirst(value, (first) => first.toUpperCase()),
  "^^": (value) => mapCharacters(value, (character) => character.toUpperCase()),
  "#": (value, args) =>
    args[0] === undefined ? `${Buffer.byteLength(value)}` : withoutPrefix(value, args[0], shortest),
  "##": (value, [pattern = ""]) => withoutPrefix(value, pattern, longest),
  "%": (value, [pattern = ""]) => withoutSuffix(value, pattern, shortest),
  "%%": (value, [pattern = ""]) => withoutSuffix(value, pattern, longest),
  ":": substring,
  "/#": (value, [pattern = "", replacement]) =>
    replacement !== undefined && value.startsWith(pattern)
      ? replacement + value.slice(pattern.length)
      : value,
  "/%": (value, [pattern = "", replacement]) =>
    replacement !== undefined && value.endsWith(pattern)
      ? value.slice(0, value.length - pattern.length) + replacement
      : value,
  "/": (value, [pattern = "", replacement = ""]) => value.replace(pattern, () => replacement),
  "//": (value, [pattern = "", replacement = ""]) => value.replaceAll(pattern, () => replacement),
};

/** Applies an operation; one that is not among the above gives a default to an empty value. */
export function applyOperation(operation: string, value: string, args: readonly string[]): string {
  const known = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
  return known ? known(value, args) : value || args.join("");
}

function mapFirst(value: string, change: (character: string) => string): string {
  const [first = "", ...rest] = value;
  return mapCharacters(first, change) + rest.join("");
}

/** As in Go, a character that would become two stays unchanged. */
function mapCharacters(value: string, change: (character: string) => string): string {
  const mapped = Array.from(value, (character) => {
    const changed = change(character);
    return [...changed].length === 1 ? changed : character;
  });
  return mapped.join("");
}

/** Offsets count bytes; a negative one counts from the end. Without a number the value is unchanged. */
function substring(value: string, [offset = "", length]: readonly string[]): string {
  const bytes = Buffer.from(value);
  const [from, count] = [parseInteger(offset), length && parseInteger(length)];
  if (from === undefined || (length !== undefined && count === undefined)) return value;
  const start = Math.max(from < 0 ? bytes.length + from : from, 0);
  const end = typeof count === "number" ? start + count : bytes.length;
  if (end >= bytes.length) return bytes.subarray(Math.min(start, bytes.length)).toString();
  return bytes.subarray(start, end).toString();
}

function parseInteger(text: string): number | undefined {
  return /^[-+]?\d+$/.test(text) ? Number(text) : undefined;
}

type Choice = (lengths: readonly number[]) => number | undefined;
const shortest: Choice = (lengths) => lengths.at(0);
const longest: Choice = (lengths) => lengths.at(-1);

/** Without the shortest or longest beginning, at least one character, that matches a pattern. */
function withoutPrefix(value: string, pattern: string, choose: Choice): string {
  const characters = [...value];
  const matches = compileGlob(pattern);
  const lengths = characters.map((_, index) => index + 1);
  const matching = lengths.filter((length) => matches(characters.slice(0, length)));
  return characters.slice(choose(matching) ?? 0).join("");
}

/** As in envsubst, value and pattern are reversed, so that "[a-z]" never matches. */
function withoutSuffix(value: string, pattern: string, choose: Choice): string {
  return reverse(withoutPrefix(reverse(value), reverse(pattern), choose));
}

function reverse(text: string): string {
  return [...text].reverse().join("");
}
