import type { SchemaNode } from "../../schema-node.ts";
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  STRING,
  TIMESTAMP,
} from "../cel-type.ts";
import type { Bounds } from "../cost/bounds.ts";
import type { SizeAt } from "../cost/known-sizes.ts";
import { escapePropertyName } from "../escaping.ts";
import { withTypeAndObjectMeta } from "./object-meta.ts";

export const MAX_REQUEST_BYTES = 3 * 1024 * 1024;
/** A string can fill the request except for its quotes. */
const MAX_STRING = MAX_REQUEST_BYTES - 2;
const utf8 = new TextEncoder();

/** The declared shape and size of the data of a schema. */
export type DeclType = ScalarDecl | ElementsDecl | ObjectDecl;

interface Sized {
  /** The maximum number of elements, entries or bytes. */
  readonly maxElements: number;
  /** The minimum size in JSON. */
  readonly minSize: number;
}

interface ScalarDecl extends Sized {
  readonly kind: "scalar";
  readonly type: CelType;
}

interface ElementsDecl extends Sized {
  readonly kind: "list" | "map";
  readonly element: DeclType;
}

export interface ObjectDecl extends Sized {
  readonly kind: "object";
  /** By escaped name. */
  readonly fields: ReadonlyMap<string, DeclType>;
}

/** Undefined where rules cannot access the data. */
export function declTypeOf(node: SchemaNode, isResourceRoot: boolean): DeclType | undefined {
  if (node.intOrString) return scalar(DYN, 1, stringLength(node, MAX_STRING));
  const full = isResourceRoot ? withTypeAndObjectMeta(node) : node;
  switch (full.type) {
    case "array":
      return elementsDecl("list", full.items, full.source.maxItems);
    case "object": {
      const values = full.additionalProperties?.schema;
      return values ? elementsDecl("map", values, full.source.maxProperties) : objectDecl(full);
    }
    case "string":
      return stringDecl(full);
    case "boolean":
      return scalar(BOOL, 4);
    case "number":
      return scalar(DOUBLE, 1);
    case "integer":
      return scalar(INT, 1);
    default:
      return undefined;
  }
}

function scalar(type: CelType, minSize: number, maxElements = 0): ScalarDecl {
  return { kind: "scalar", type, minSize, maxElements };
}

/** An empty key takes five bytes more than an element of a list. */
function elementsDecl(
  kind: "list" | "map",
  node: SchemaNode | undefined,
  limit: number | undefined,
): ElementsDecl | undefined {
  const element = node && declTypeOf(node, node.embeddedResource);
  if (!element) return undefined;
  const bytesEach = element.minSize + (kind === "list" ? 1 : 6);
  const estimate = Math.floor((MAX_REQUEST_BYTES - 2) / bytesEach);
  return { kind, element, minSize: 2, maxElements: atLeastZero(limit) ?? estimate };
}

function objectDecl(node: SchemaNode): ObjectDecl {
  const fields = new Map<string, DeclType>();
  let minSize = 2;
  for (const [name, property] of node.properties ?? []) {
    const type = declTypeOf(property, property.embeddedResource);
    if (!type) continue;
    const escaped = escapePropertyName(name);
    if (escaped !== undefined) fields.set(escaped, type);
    if (node.constraints.required.includes(name) && property.default === undefined) {
      minSize += utf8.encode(name).length + type.minSize + 4;
    }
  }
  return { kind: "object", fields, minSize, maxElements: 0 };
}

function stringDecl(node: SchemaNode): ScalarDecl {
  switch (node.source.format) {
    case "byte":
      return scalar(BYTES, 2, atLeastZero(node.source.maxLength) ?? MAX_STRING);
    case "duration":
      return scalar(DURATION, 3, 32);
    case "date":
      return scalar(TIMESTAMP, 12, 12);
    case "date-time":
      return scalar(TIMESTAMP, 21, 32);
    default:
      return scalar(STRING, 2, stringLength(node, longestEnum(node) ?? MAX_STRING));
  }
}

/** maxLength counts code points of up to four bytes. */
function stringLength({ source }: SchemaNode, otherwise: number): number {
  const limit = atLeastZero(source.maxLength);
  return limit === undefined ? otherwise : limit * 4;
}

function longestEnum({ source }: SchemaNode): number | undefined {
  if (!source.enum?.length) return undefined;
  return source.enum.reduce<number>((longest, each) => {
    return typeof each === "string" ? Math.max(longest, utf8.encode(each).length) : longest;
  }, 0);
}

export function atLeastZero(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.max(0, value);
}

/** The sizes of schema data at paths that begin with `self` or `oldSelf`. */
export function sizesOf(root: DeclType): SizeAt {
  return (path) => {
    let current: DeclType | "key" | undefined = root;
    for (const step of path.slice(1)) {
      current = current === "key" || current === undefined ? undefined : follow(current, step);
      if (current === undefined) return undefined;
    }
    return upTo(current === "key" || current === undefined ? 0 : current.maxElements);
  };
}

function follow(decl: DeclType, step: string): DeclType | "key" | undefined {
  switch (step) {
    case "@items":
    case "@values":
      return decl.kind === "list" || decl.kind === "map" ? decl.element : undefined;
    case "@keys":
      return decl.kind === "map" ? "key" : undefined;
    default:
      return decl.kind === "object" ? decl.fields.get(step) : undefined;
  }
}

function upTo(max: number): Bounds {
  return { min: 0, max };
}
