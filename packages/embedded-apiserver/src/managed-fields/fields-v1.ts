import {
  emptySet,
  type FieldNode,
  type FieldSet,
  leaf,
  sortedElements,
  unionNodes,
} from "./field-set.ts";
import { type PathElement, parseElement } from "./path-element.ts";

type Json = Readonly<Record<string, unknown>>;

/** What stands for the field itself, beside what is below it. */
const self = ".";

/**
 * Reads `fieldsV1` of an entry. Types of elements that nobody knows are ignored. Throws a
 * SyntaxError where it can't be read.
 */
export function parseFieldsV1(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return emptySet;
  if (!isRecord(fields)) throw new SyntaxError("fieldsV1 is no object");
  return parseLevel(fields).below;
}

function parseLevel(fields: Json): FieldNode {
  const below = new Map<PathElement, FieldNode>();
  let isMember = false;
  for (const key in fields) {
    if (!Object.hasOwn(fields, key)) continue;
    if (key === self) isMember = true;
    else addChild(below, key, fields[key]);
  }
  return below.size === 0 ? leaf : { isMember, below };
}

function addChild(below: Map<PathElement, FieldNode>, key: string, value: unknown): void {
  const element = parseElement(key);
  if (element === undefined) return;
  if (!isRecord(value)) throw new SyntaxError(`fields below ${key} are no object`);
  const node = parseLevel(value);
  const twice = below.get(element);
  below.set(element, twice ? unionNodes(twice, node) : node);
}

/** Shared by all: most fields have nothing below them. */
const nothing: Json = Object.freeze({});

/** Writes a set as `fieldsV1`, in kube-apiserver's order. */
export function formatFieldsV1(set: FieldSet): Json {
  return formatLevel(set, {});
}

function formatLevel(set: FieldSet, fields: Record<string, unknown>): Json {
  for (const element of sortedElements(set)) {
    const { isMember, below } = set.get(element) ?? leaf;
    if (below.size === 0) fields[element] = nothing;
    else fields[element] = formatLevel(below, isMember ? { [self]: nothing } : {});
  }
  return fields;
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
