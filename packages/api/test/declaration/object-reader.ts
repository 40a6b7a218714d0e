import type { FieldError } from "@rookery/kube";
import type { JSONObject, StructuralSchema, ValidateOptions } from "@rookery/schema";
import type { Kind, ObjectOf, VersionOf } from "../../src/declaration/kind.ts";
import { openAPIV3SchemaOf } from "../../src/declaration/render.ts";

/** What became of an object that was read. */
export type ReadResult<T> = {
  /** Rules that fail on what an update did not change. */
  readonly warnings: readonly FieldError[];
  /** The paths of fields that the kind does not have; they were dropped. */
  readonly unknownFields: readonly string[];
} & (
  | { readonly valid: true; readonly object: T }
  | { readonly valid: false; readonly errors: readonly FieldError[] }
);

/**
 * Reads objects, plain JSON data, of one version of a kind.
 *
 * Flow: drops unknown fields, fills in defaults, validates; each as the API server does it.
 * Assumptions: the object says the right apiVersion and kind; its metadata is for others to validate.
 */
export type ObjectReader<T> = (object: object, options?: ReadOptions) => ReadResult<T>;

export interface ReadOptions extends Pick<ValidateOptions, "subresource" | "preceding"> {
  /** The stored object that this one replaces. */
  readonly old?: object;
}

/**
 * Makes a reader; the schema is compiled at the first use and kept. The engine is loaded here: whoever
 * only names kinds need not hold it in memory.
 */
export async function createObjectReader<K extends Kind, Version extends VersionOf<K>>(
  kind: K,
  version: Version,
): Promise<ObjectReader<ObjectOf<K, Version>>> {
  const { applyDefaults, compileSchema, prune, validate } = await import("@rookery/schema");
  let schema: StructuralSchema | undefined;
  return (object, options = {}) => {
    schema ??= compileSchema(openAPIV3SchemaOf(kind, version));
    const { object: known, unknownFields } = prune(schema, object as JSONObject);
    const completed = applyDefaults(schema, known);
    const { errors, warnings } = validate(schema, completed, options as ValidateOptions);
    if (errors.length > 0) return { valid: false, errors, warnings, unknownFields };
    // What the schema accepts has the type that was inferred from the same declaration.
    const read = completed as unknown as ObjectOf<K, Version>;
    return { valid: true, object: read, warnings, unknownFields };
  };
}
