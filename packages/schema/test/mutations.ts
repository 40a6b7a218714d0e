import { hash } from "node:crypto";
import type { JSONObject, JSONSchemaProps, JSONValue } from "@rookery/schema";
import { get, type Path, set } from "./paths.ts";

/** An object with one thing changed. */
export interface Mutation {
  /** "spec.replicas: below its minimum" */
  readonly name: string;
  readonly object: () => JSONObject;
  /** What is done, whatever it is done to. */
  readonly sort: string;
  /** The same for what is done to equal schemas in equal ways. */
  readonly signature: string;
  /** Adds a field that the schema does not know. */
  readonly unknown: boolean;
}

/**
 * What is done at one node, by the words for it; undefined takes the value away. Of one sort one is
 * as good as the other.
 */
type Changes = readonly (readonly [name: string, value: JSONValue | undefined, sort?: string])[];

/** Everything that is worth trying at every node of an object, and only what changes something. */
export function mutationsOf(object: JSONObject, schema: JSONSchemaProps): readonly Mutation[] {
  return mutationsAt(object, schema, []);
}

function mutationsAt(object: JSONObject, schema: JSONSchemaProps, path: Path): readonly Mutation[] {
  const value = get(object, path);
  if (value === undefined) return [];
  const own = path.length === 0 ? [] : changesAt(schema, value);
  const mutations = own.map(([name, changed, sort = name]) => ({
    name: `${path.join(".")}: ${name}`,
    object: () => set(object, path, changed),
    sort,
    signature: `${sort} ${essence(schema)}`,
    unknown: false,
  }));
  return [...mutations, ...childMutations(object, schema, path)];
}

function childMutations(
  object: JSONObject,
  schema: JSONSchemaProps,
  path: Path,
): readonly Mutation[] {
  const value = get(object, path);
  if (Array.isArray(value)) {
    return value.length === 0
      ? []
      : mutationsAt(object, schema.items as JSONSchemaProps, [...path, 0]);
  }
  if (typeof value !== "object" || value === null) return [];
  const unknown: Mutation = {
    name: `${path.join(".")}: with a field that is not known`,
    object: () => set(object, [...path, "unknownField"], { nested: [1] }),
    sort: "unknown",
    signature: `unknown ${essence(schema)}`,
    unknown: true,
  };
  const known = Object.keys(value).flatMap((key) => {
    if (path.length === 0 && ["apiVersion", "kind", "metadata"].includes(key)) return [];
    const { additionalProperties } = schema;
    const values = typeof additionalProperties === "object" ? additionalProperties : undefined;
    const child = schema.properties?.[key] ?? values;
    return child ? mutationsAt(object, child, [...path, key]) : [];
  });
  return [unknown, ...known];
}

function changesAt(schema: JSONSchemaProps, value: JSONValue): Changes {
  return [
    ["taken away", undefined],
    ["null", null],
    ...wrongTypes(schema, value),
    ...(schema.enum ? ([["not one of its values", "Other"]] as const) : []),
    ...textChanges(schema, value),
    ...numberChanges(schema),
    ...listChanges(schema, value),
    ...objectChanges(schema, value),
  ];
}

function wrongTypes(schema: JSONSchemaProps, value: JSONValue): Changes {
  const others: readonly JSONValue[] = ["text", 7, 1.5, true, ["item"], { field: "text" }];
  if (!schema.type && !schema["x-kubernetes-int-or-string"]) return [];
  const kind = (each: JSONValue): string => (Array.isArray(each) ? "list" : typeof each);
  const wrong = others.filter((other) => kind(other) !== kind(value) || other === 1.5);
  return wrong.map((other, i) => {
    return [`the ${kind(other)} ${JSON.stringify(other)}`, other, `type ${i % 2}`] as const;
  });
}

function textChanges(schema: JSONSchemaProps, value: JSONValue): Changes {
  if (typeof value !== "string") return [];
  const changes: [string, JSONValue][] = [["an empty text", ""]];
  if (schema.pattern !== undefined) changes.push(["not what its pattern wants", "!§ \n"]);
  if (schema.format !== undefined) changes.push(["not what its format wants", "neither"]);
  if (schema.maxLength !== undefined && schema.maxLength < 20_000) {
    changes.push(["too long", "ü".repeat(schema.maxLength + 1)]);
  }
  return changes;
}

function numberChanges(schema: JSONSchemaProps): Changes {
  const { minimum, maximum } = schema;
  const low = minimum === undefined ? [] : ([["below its minimum", minimum - 1]] as const);
  const high = maximum === undefined ? [] : ([["above its maximum", maximum + 1]] as const);
  return [...low, ...high];
}

function listChanges(schema: JSONSchemaProps, value: JSONValue): Changes {
  if (!Array.isArray(value)) return [];
  const [first] = value as readonly JSONValue[];
  const changes: [string, JSONValue][] = [["without items", []]];
  if (first === undefined) return changes;
  changes.push(["with its first item twice", [first, first, ...value]]);
  changes.push(["with a null among its items", [...value, null]]);
  if (schema.maxItems !== undefined && schema.maxItems <= 1000) {
    changes.push(["with too many items", new Array(schema.maxItems + 1).fill(first)]);
  }
  return changes;
}

function objectChanges(schema: JSONSchemaProps, value: JSONValue): Changes {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const changes: [string, JSONValue][] = [["empty", {}]];
  if (schema.maxProperties !== undefined && schema.maxProperties <= 1000) {
    const many = Array.from({ length: schema.maxProperties + 1 }, (_, i) => [`key${i}`, "text"]);
    changes.push(["with too many entries", Object.fromEntries(many)]);
  }
  return changes;
}

const essences = new WeakMap<JSONSchemaProps, string>();

/** A schema without its words. */
function essence(schema: JSONSchemaProps): string {
  const known = essences.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(schema, (key, value) =>
    key === "description" && typeof value === "string" ? undefined : value,
  );
  const digest = hash("sha256", text);
  essences.set(schema, digest);
  return digest;
}
