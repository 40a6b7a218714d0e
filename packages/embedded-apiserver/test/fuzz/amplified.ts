import { type GoType, goTypeOf } from "../../src/types/go-types.ts";
import type { Subject } from "./corpus.ts";

type Fields = Record<string, unknown>;

/** A kind's field that one may fill with as much as one likes. */
export interface Amplified {
  /** Such as "Pod spec.containers[].env, with different items". */
  readonly name: string;
  readonly subject: Subject;
  /** An object with so many items in that field. */
  readonly build: (size: number) => object;
}

type Step = string | 0;

interface Place {
  readonly path: readonly Step[];
  readonly type: GoType;
}

const maxDepth = 8;

/** All lists, maps and texts of a kind, each with equal and with different content. */
export function amplified(subject: Subject): Amplified[] {
  const { goType, kind } = subject;
  if (goType === undefined) return [];
  const places = placesIn(goTypeOf(goType), []);
  return places.flatMap(({ path, type }) =>
    variantsOf(type).map(({ name, content }) => ({
      name: `${kind} ${pathText(path)}, ${name}`,
      subject,
      build: (size: number) => withContent(subject, path, content(size)),
    })),
  );
}

function pathText(path: readonly Step[]): string {
  return path
    .map((step) => (step === 0 ? "[]" : `.${step}`))
    .join("")
    .slice(1);
}

function placesIn(type: GoType, path: readonly Step[]): Place[] {
  if (path.length > maxDepth) return [];
  switch (type.kind) {
    case "struct":
      return type.fields.flatMap((field) =>
        placesIn(field.type, field.json === "" ? path : [...path, field.json]),
      );
    case "pointer":
      return type.element ? placesIn(type.element, path) : [];
    case "slice":
      return [{ path, type }, ...(type.element ? placesIn(type.element, [...path, 0]) : [])];
    case "map":
    case "string":
      return [{ path, type }];
    default:
      return [];
  }
}

interface Variant {
  readonly name: string;
  readonly content: (size: number) => unknown;
}

function variantsOf({ kind, element }: GoType): Variant[] {
  const many = (size: number, item: (index: number) => unknown) =>
    Array.from({ length: size }, (_, index) => item(index));
  switch (kind) {
    case "slice":
      return [
        { name: "with equal items", content: (size) => many(size, () => itemOf(element, 0, 0)) },
        {
          name: "with different items",
          content: (size) => many(size, (i) => itemOf(element, i, 0)),
        },
      ];
    case "map":
      return [
        {
          name: "with many keys",
          content: (size) =>
            Object.fromEntries(
              many(size, (i) => [`k${i}`, itemOf(element, 0, 0)]) as [string, unknown][],
            ),
        },
      ];
    default:
      return [
        { name: "as a long text", content: (size) => "a".repeat(size * 64) },
        { name: "as a long text of marks", content: (size) => "a-.,/:=(".repeat(size * 8) },
      ];
  }
}

/** An item with all of its fields, but not with all of theirs. */
function itemOf(type: GoType | undefined, index: number, depth: number): unknown {
  switch (type?.kind) {
    case "struct": {
      if (depth > 2) return {};
      const fields: Fields = {};
      for (const { json, type: each } of type.fields) {
        const value = itemOf(each, index, depth + 1);
        if (json === "") Object.assign(fields, value);
        else if (value !== undefined) fields[json] = value;
      }
      return fields;
    }
    case "pointer":
      return itemOf(type.element, index, depth);
    case "slice":
      return depth > 1 ? [] : [itemOf(type.element, index, depth + 1)];
    case "map":
      return depth > 1 ? {} : { a: itemOf(type.element, index, depth + 1) };
    case "string":
      return `a${index}`;
    case "bool":
      return true;
    case "quantity":
      return "1";
    case "intOrString":
    case "int32":
    case "int64":
      return index + 1;
    case "bytes":
      return "YQ==";
    case "time":
    case "microTime":
      return "2026-01-01T00:00:00Z";
    default:
      return undefined;
  }
}

function withContent(subject: Subject, path: readonly Step[], content: unknown): object {
  const { apiVersion, kind, objects } = subject;
  const base = structuredClone(objects[0] ?? {}) as Fields;
  const metadata = { name: "amplified", ...(base.metadata as Fields | undefined) };
  return set({ ...base, apiVersion, kind, metadata }, path, content) as object;
}

function set(value: unknown, [step, ...rest]: readonly Step[], content: unknown): unknown {
  if (step === undefined) return content;
  if (step === 0) {
    const [first, ...others] = Array.isArray(value) ? value : [];
    return [set(first, rest, content), ...others];
  }
  const fields = typeof value === "object" && value !== null ? (value as Fields) : {};
  return { ...fields, [step]: set(fields[step], rest, content) };
}
