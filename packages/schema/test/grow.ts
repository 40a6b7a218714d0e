import {
  applyDefaults,
  compileSchema,
  type JSONObject,
  type JSONSchemaProps,
  type JSONValue,
  prune,
  type StructuralSchema,
  validate,
} from "@rookery/schema";
import { type Kind, objectOf } from "./crd.ts";
import { get, type Path, set } from "./paths.ts";
import { sampleValue } from "./sample.ts";

export interface Grown {
  /** A valid object with as few fields as possible. */
  readonly minimal: JSONObject;
  /** A valid object with as many of the schema's fields as fit together. */
  readonly object: JSONObject;
  /** Objects with one field more, which some rule refuses. */
  readonly refused: readonly JSONObject[];
}

/** Adds the optional fields of a kind to an object one by one, as long as it stays valid. */
export function grow(kind: Kind, name: string): Grown {
  const { schema: props } = kind;
  const schema = compileSchema(props);
  const minimal = objectOf(kind, { spec: sampleValue(props.properties?.spec ?? {}) }, name);
  let object = minimal;
  const refused: JSONObject[] = [];
  const queue: { schema: JSONSchemaProps; path: Path }[] = [{ schema: props, path: [] }];
  for (let next = queue.shift(); next; next = queue.shift()) {
    for (const { path, schema: child } of childrenOf(
      next.schema,
      get(object, next.path),
      next.path,
    )) {
      const candidate =
        get(object, path) === undefined ? set(object, path, sampleValue(child)) : object;
      if (isValid(schema, candidate)) {
        object = candidate;
        queue.push({ schema: child, path });
      } else refused.push(candidate);
    }
  }
  return { minimal, object, refused };
}

function isValid(schema: StructuralSchema, object: JSONObject): boolean {
  return validate(schema, applyDefaults(schema, prune(schema, object).object)).errors.length === 0;
}

/** The fields of an object, one entry of a map, the first item of a list. */
function childrenOf(
  schema: JSONSchemaProps,
  value: JSONValue | undefined,
  path: Path,
): readonly { readonly path: Path; readonly schema: JSONSchemaProps }[] {
  if (schema.type === "array" && Array.isArray(value)) {
    return [{ path: [...path, 0], schema: schema.items as JSONSchemaProps }];
  }
  if (schema.type !== "object") return [];
  if (typeof schema.additionalProperties === "object") {
    return [{ path: [...path, "key"], schema: schema.additionalProperties }];
  }
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => path.length > 0 || !["apiVersion", "kind", "metadata"].includes(name))
    .map(([name, child]) => ({ path: [...path, name], schema: child }));
}
