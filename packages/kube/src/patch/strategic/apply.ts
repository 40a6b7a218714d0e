import { PatchError } from "../../errors.ts";
import { assign, deepCopy, isRecord, own } from "../../object/deep.ts";
import {
  applyDirective,
  applyRetainKeys,
  asNewValue,
  badElementOrder,
  badPrimitiveList,
  deleteListPrefix,
  directiveMarker,
  elementOrderPrefix,
  type Json,
  parallelField,
  withoutDirectives,
} from "./directives.ts";
import { lookUp, type PatchField, type PatchSchema } from "./known-schemas.ts";
import { asList, haveObjectItems } from "./list-items.ts";
import { checkElementOrder, orderItems } from "./list-order.ts";
import { deleteItems, mergeLists } from "./merge-lists.ts";

/**
 * Applies a strategic merge patch as kube-apiserver does: merges objects, and lists by their
 * strategy and merge key, with the directives $patch, $retainKeys, $deleteFromPrimitiveList and
 * $setElementOrder. The arguments are not changed. Throws a PatchError in kube-apiserver's words.
 */
export function applyStrategicMergePatch(
  document: object,
  patch: object,
  schema: PatchSchema,
): Record<string, unknown> {
  if (!isRecord(document) || !isRecord(patch)) throw new PatchError("invalid JSON document", 400);
  return mergeObjects(deepCopy(document), deepCopy(patch), schema);
}

/** Merges into `original`; both are copies. */
function mergeObjects(original: Json, patch: Json, schema: PatchSchema): Json {
  if (Object.hasOwn(patch, directiveMarker)) return applyDirective(patch);
  applyRetainKeys(original, patch);
  applyElementOrders(original, patch, schema);
  deleteFromLists(original, patch);
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith(deleteListPrefix)) continue;
    if (value === null) delete original[key];
    else
      set(
        original,
        key,
        mergeValue(own(original, key), value, () => lookUp(schema, key)),
      );
  }
  return original;
}

/** The new value of a field; undefined to remove it. */
function mergeValue(original: unknown, patch: unknown, field: () => PatchField): unknown {
  if (isRecord(original) && isRecord(patch)) {
    const { strategy, schema } = field();
    return strategy === "replace" ? patch : mergeObjects(original, patch, schema);
  }
  if (Array.isArray(original) && Array.isArray(patch)) {
    return mergeField(original, patch, field());
  }
  return asNewValue(patch);
}

function mergeField(original: unknown[], patch: unknown[], field: PatchField): unknown[] {
  if (field.strategy !== "merge") return patch;
  return mergeLists(original, patch, {
    mergeKey: field.mergeKey ?? "",
    mergeItem: (item, change) => mergeObjects(item, change, field.schema),
  });
}

/** Runs before additions, so that an item that is both deleted and added stays. */
function deleteFromLists(original: Json, patch: Json): void {
  for (const [key, deleted] of Object.entries(patch)) {
    if (!key.startsWith(deleteListPrefix)) continue;
    const field = parallelField(key, deleteListPrefix, badPrimitiveList);
    const list = own(original, field);
    if (deleted === null) delete original[field];
    else if (Array.isArray(list) && Array.isArray(deleted)) {
      set(original, field, deleteItems(list, deleted));
    }
  }
}

/** Merges and orders the lists with a "$setElementOrder", and removes both from the patch. */
function applyElementOrders(original: Json, patch: Json, schema: PatchSchema): void {
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(elementOrderPrefix)) continue;
    const order = asList(patch[key]);
    delete patch[key];
    const field = parallelField(key, elementOrderPrefix, badElementOrder);
    applyElementOrder({ original, patch, field }, order, lookUp(schema, field));
  }
}

function applyElementOrder(
  { original, patch, field }: { original: Json; patch: Json; field: string },
  order: unknown[],
  meta: PatchField,
): void {
  const live = own(original, field) === undefined ? undefined : asList(original[field]);
  const changes = own(patch, field) === undefined ? undefined : asList(patch[field]);
  const mergeKey = meta.mergeKey ?? "";
  checkElementOrder(changes ?? [], order, mergeKey);
  if (live === undefined && changes === undefined) return;
  const merged = mergeOrdered(live, changes, meta);
  const objects = haveObjectItems(live ?? [], changes ?? []);
  set(original, field, orderItems(merged, order, live ?? [], { mergeKey, objects }));
  delete patch[field];
}

function mergeOrdered(
  live: unknown[] | undefined,
  changes: unknown[] | undefined,
  meta: PatchField,
): unknown[] {
  if (changes === undefined) return live ?? [];
  if (live === undefined) return asList(withoutDirectives(changes));
  return mergeField(live, changes, meta);
}

function set(object: Json, key: string, value: unknown): void {
  if (value === undefined) delete object[key];
  else assign(object, key, value);
}
