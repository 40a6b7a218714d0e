import { emptySet, type FieldNode, type FieldSet } from "./field-set.ts";
import { type MergeSchema, schemaOfKey } from "./merge-schema.ts";
import { fieldName, type PathElement } from "./path-element.ts";

/**
 * A set with the declared fields that lead to its members: with "a.b.c" comes "a", if it is a field,
 * and not "a.b", if that is a key of a map.
 */
export function withNamedFields(set: FieldSet, schema: MergeSchema | undefined): FieldSet {
  if (set.size === 0) return emptySet;
  const result = new Map<PathElement, FieldNode>();
  for (const [element, node] of set) {
    const name = fieldName(element);
    const leads = name !== undefined && schema?.map?.field(name) !== undefined;
    const below = withNamedFields(node.below, partOf(schema, element));
    result.set(element, { isMember: node.isMember || (leads && node.below.size > 0), below });
  }
  return result;
}

function partOf(schema: MergeSchema | undefined, element: PathElement): MergeSchema | undefined {
  const name = fieldName(element);
  if (name !== undefined) return schema?.map && schemaOfKey(schema.map, name);
  return element.startsWith("k:") ? schema?.list?.items : undefined;
}
