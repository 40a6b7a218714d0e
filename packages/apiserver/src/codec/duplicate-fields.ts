import { keysInText, keysInValue } from "./count-keys.ts";

interface Level {
  readonly isInside: boolean;
  /** undefined in a list. */
  readonly keys: Set<string> | undefined;
  readonly path: string;
  index: number;
  expectsKey: boolean;
  /** The path of the value that comes next. */
  next: string;
  /** Whether nobody wants to know of what is in that value. */
  isSkipped: boolean;
}

const token = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[{}[\],:]/g;
export const maxReported = 100;
/** What nests deeper is refused elsewhere: here it would only take memory. */
const maxDepth = 1000;
/** Nobody's paths are longer; many keys below one of a megabyte would take minutes to tell. */
const maxPathLength = 1024;

/**
 * The paths of the fields that valid JSON text has more than once in one object: "spec.name",
 * "spec.items[2].key". JSON.parse takes the last of them without a word.
 */
export function duplicateFields(text: string): string[] {
  // Where a field is there twice, the text has more keys than what is made of it.
  if (keysInText(text) === keysInValue(JSON.parse(text))) return [];
  const duplicates: string[] = [];
  walkKeys(text, (path, isRepeated) => {
    if (isRepeated && duplicates.length < maxReported) duplicates.push(path);
    return duplicates.length >= maxReported;
  });
  return duplicates;
}

/** In Kubernetes' wording, each path once. */
export function duplicateFieldProblems(text: string): string[] {
  return [...new Set(duplicateFields(text))].map((path) => `duplicate field "${path}"`);
}

/**
 * Calls `visit` with the path of every key of valid JSON text, in the order of the text, but not of
 * those in a value for whose key it has said true.
 */
export function walkKeys(
  text: string,
  visit: (path: string, isRepeated: boolean) => boolean,
): void {
  const levels: Level[] = [];
  for (const [found] of text.matchAll(token)) {
    const level = levels.at(-1);
    if (levels.length > maxDepth) break;
    if (found === "{" || found === "[") levels.push(openLevel(found, level));
    else if (found === "}" || found === "]") levels.pop();
    else if (found === ",") advance(level);
    else if (level?.expectsKey) {
      const isRepeated = takeKey(level, found);
      const isSeen = !level.isInside && level.next.length <= maxPathLength;
      level.isSkipped = !isSeen || visit(level.next, isRepeated);
    }
  }
}

/** Whether the object had it before. */
function takeKey(level: Level, quoted: string): boolean {
  const key: string = JSON.parse(quoted);
  const known = level.keys?.has(key) === true;
  level.keys?.add(key);
  level.expectsKey = false;
  level.next = level.path === "" ? key : `${level.path}.${key}`;
  return known;
}

function openLevel(bracket: string, outer: Level | undefined): Level {
  const { next: path = "", isSkipped = false } = outer ?? {};
  const shared = { path, index: 0, isInside: isSkipped, isSkipped };
  if (bracket === "{") return { ...shared, keys: new Set(), expectsKey: true, next: "" };
  return { ...shared, keys: undefined, expectsKey: false, next: `${path}[0]` };
}

function advance(level: Level | undefined): void {
  if (level === undefined) return;
  level.index += 1;
  level.expectsKey = level.keys !== undefined;
  if (!level.keys) level.next = `${level.path}[${level.index}]`;
}
