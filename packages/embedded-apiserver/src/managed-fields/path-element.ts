import { quote, renderJson } from "@rookery/kube";

/**
 * A path element in the notation of fieldsV1: "f:<name>" is a field, "k:<keys>" a list item by its
 * keys, "v:<value>" a set item, "i:<index>" an item by index. Elements are equal if their texts
 * are: keys are sorted, values normalized.
 */
export type PathElement = string;

export type Scalar = string | number | boolean | null;

export type Keys = readonly (readonly [name: string, value: unknown])[];

/** Recent names: building and hashing a new string costs more than this lookup. */
const recentFields = new Map<string, PathElement>();
const maxRecentFields = 1000;
const maxRecentLength = 100;

export function fieldElement(name: string): PathElement {
  const recent = recentFields.get(name);
  if (recent) return recent;
  const element = `f:${name}`;
  if (name.length > maxRecentLength) return element;
  if (recentFields.size >= maxRecentFields) recentFields.clear();
  recentFields.set(name, element);
  return element;
}

export function valueElement(value: Scalar): PathElement {
  return `v:${toJson(value)}`;
}

export function keyElement(keys: Keys): PathElement {
  return `k:{${keys.map(([name, value]) => `${toJson(name)}:${toJson(value)}`).join(",")}}`;
}

/** The name of a field; undefined for other elements. */
export function fieldName(element: PathElement): string | undefined {
  return element.startsWith("f:") ? element.slice(2) : undefined;
}

/**
 * Parses an element from a client. Undefined for an unknown type, which callers ignore. Throws a
 * SyntaxError.
 */
export function parseElement(text: string): PathElement | undefined {
  if (text.startsWith("f:")) return text;
  if (text.length < 2) throw new SyntaxError("key must be 2 characters long:");
  if (text[1] !== ":") throw new SyntaxError(`missing colon: ${text}`);
  switch (text[0]) {
    case "k":
      return keyElement(parseKeys(text));
    case "v":
      return `v:${toJson(JSON.parse(text.slice(2)))}`;
    case "i":
      return `i:${parseIndex(text.slice(2))}`;
    default:
      return undefined;
  }
}

/** Recently compared elements: items of most lists have the same key names. */
const recentKeys = new Map<PathElement, Keys>();
const maxRecentKeys = 1000;

function keysOf(element: PathElement): Keys {
  const recent = recentKeys.get(element);
  if (recent) return recent;
  if (recentKeys.size >= maxRecentKeys) recentKeys.clear();
  const keys = parseKeys(element);
  recentKeys.set(element, keys);
  return keys;
}

function parseKeys(element: PathElement): Keys {
  const keys: unknown = JSON.parse(element.slice(2));
  if (typeof keys !== "object" || keys === null) throw new SyntaxError(`no keys: ${element}`);
  return Object.entries(keys).sort(([a], [b]) => compareTexts(a, b));
}

function parseIndex(text: string): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw new SyntaxError(`strconv.Atoi: parsing ${quote(text)}: invalid syntax`);
}

/** Most strings need no escaping. */
function toJson(value: unknown): string {
  return typeof value === "string" && /^[\w./-]*$/.test(value) ? `"${value}"` : renderJson(value);
}

const kindOrder = "fkvi";

/** The order of fieldsV1 and of conflicts: fields, items by key, values, indexes. */
export function compareElements(a: PathElement, b: PathElement): number {
  const [kindA, kindB] = [a.charAt(0), b.charAt(0)];
  if (kindA !== kindB) return kindOrder.indexOf(kindA) - kindOrder.indexOf(kindB);
  if (kindA === "f") return compareTexts(a, b);
  if (kindA === "k") return compareKeys(keysOf(a), keysOf(b));
  const [left, right] = [JSON.parse(a.slice(2)), JSON.parse(b.slice(2))];
  return compareValues(left, right);
}

function compareKeys(a: Keys, b: Keys): number {
  for (const [index, [name, value]] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareTexts(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

const typeOrder = ["number", "string", "boolean", "object"];

function compareValues(a: unknown, b: unknown): number {
  if (typeof a !== typeof b) return typeOrder.indexOf(typeof a) - typeOrder.indexOf(typeof b);
  if (typeof a === "string") return compareTexts(a, b as string);
  if (typeof a === "object") return compareTexts(JSON.stringify(a), JSON.stringify(b));
  return Number(a) - Number(b);
}

export function compareTexts(a = "", b = ""): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** As in messages: `.spec`, `[name="a"]`, `[="x"]`, `[0]`. */
export function printElement(element: PathElement): string {
  const rest = element.slice(2);
  switch (element.charAt(0)) {
    case "f":
      return `.${rest}`;
    case "k":
      return `[${keysOf(element)
        .map(([name, value]) => `${name}=${print(value)}`)
        .join(",")}]`;
    case "v":
      return `[=${print(JSON.parse(rest))}]`;
    default:
      return `[${rest}]`;
  }
}

export function printPath(path: readonly PathElement[]): string {
  return path.map(printElement).join("");
}

function print(value: unknown): string {
  return typeof value === "string" ? quote(value) : String(value);
}
