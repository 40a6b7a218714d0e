import { DecodeError } from "./decode-error.ts";

/** Far above realistic objects, and far below a stack overflow. */
const maxCountedDepth = 1000;

/** Counts the keys of all objects in a value. Throws a DecodeError for excessive nesting. */
export function keysInValue(value: unknown, depth = 0): number {
  if (typeof value !== "object" || value === null) return 0;
  if (depth > maxCountedDepth) throw tooDeep(value);
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) keys += keysInValue(item, depth + 1);
    return keys;
  }
  const object = value as Record<string, unknown>;
  for (const key in object) keys += 1 + keysInValue(object[key], depth + 1);
  return keys;
}

function tooDeep(value: object): DecodeError {
  return new DecodeError(
    `invalid character '${Array.isArray(value) ? "[" : "{"}' exceeded max depth`,
  );
}

/** Counts the keys in valid JSON: strings followed by a colon. */
export function keysInText(text: string): number {
  let keys = 0;
  let start = text.indexOf('"');
  while (start !== -1) {
    const colon = skipSpace(text, endOfString(text, start));
    if (text[colon] === ":") keys++;
    start = text.indexOf('"', colon);
  }
  return keys;
}

/** The position after the closing quote. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (text.charCodeAt(end - 1) === backslash && isEscaped(text, end)) {
    end = text.indexOf('"', end + 1);
  }
  return end + 1;
}

const backslash = 0x5c;

function isEscaped(text: string, quote: number): boolean {
  let at = quote - 1;
  while (text.charCodeAt(at) === backslash) at--;
  return (quote - at) % 2 === 0;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}

interface Level {
  readonly isInside: boolean;
  /** Undefined in a list. */
  readonly keys: Set<string> | undefined;
  readonly path: string;
  index: number;
  expectsKey: boolean;
  /** The path of the next value. */
  next: string;
  /** Whether keys inside of that value are not visited. */
  isSkipped: boolean;
}

const token = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[{}[\],:]/g;
const maxReported = 100;
/** Deeper nesting is rejected elsewhere; tracking it would only take memory. */
const maxDepth = 1000;
/** Longer paths are not reported: many keys below a very long one would take minutes. */
const maxPathLength = 1024;

/**
 * The paths of fields that occur more than once in an object of valid JSON, such as "spec.name" or
 * "spec.items[2].key". JSON.parse silently takes the last one.
 */
export function duplicateFields(text: string): string[] {
  // With duplicates, the text has more keys than the parsed value.
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
 * Visits the path of every key of valid JSON, in order. Skips values for whose key `visit` returned
 * true.
 */
function walkKeys(text: string, visit: (path: string, isRepeated: boolean) => boolean): void {
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

/** Returns whether the object already had the key. */
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

/**
 * The strict problems of JSON in text order: unknown fields, and duplicate fields outside of these.
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
