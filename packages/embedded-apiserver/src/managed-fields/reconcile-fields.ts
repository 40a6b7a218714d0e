import { emptySet, type FieldNode, type FieldSet, leaf } from "./field-set.ts";
import { type MergeSchema, schemaOfKey } from "./merge-schema.ts";
import { fieldName, type PathElement } from "./path-element.ts";

/**
 * What a set means since its kind changed: who owned parts of what is now owned as a whole owns the
 * whole. Gives back the same set where nothing changed.
 */
export function reconcileFields(set: FieldSet, schema: MergeSchema): FieldSet {
  return reconcile({ isMember: false, below: set }, schema)?.below ?? emptySet;
}

function reconcile(node: FieldNode, schema: MergeSchema): FieldNode | undefined {
  const isWhole = node.isMember && node.below.size === 0;
  const { map, list } = schema;
  if (map) {
    if (map.isDeduced) return node;
    if (!isWhole && map.isAtomic) return node.below.size > 0 ? leaf : node;
    return reconcileParts(node, (element) => {
      const name = fieldName(element);
      return name === undefined ? map.others : schemaOfKey(map, name);
    });
  }
  if (schema.scalar || !list) return node;
  if (!isWhole && list.type === "atomic") return leaf;
  return reconcileParts(node, () => list.items);
}

function reconcileParts(
  node: FieldNode,
  partOf: (element: PathElement) => MergeSchema | undefined,
): FieldNode {
  let below: Map<PathElement, FieldNode> | undefined;
  for (const [element, child] of node.below) {
    const part = partOf(element);
    const changed = part ? reconcile(child, part) : child;
    if (changed === child || changed === undefined) continue;
    below ??= new Map(node.below);
    below.set(element, changed);
  }
  return below ? { isMember: node.isMember, below } : node;
}
