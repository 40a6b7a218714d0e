import { decodePointer, encodePointer } from "@rookery/kube";
import { UnreadableBodyError } from "../errors.ts";
import type { TextEdit } from "../forms/form.ts";
import { nameEdit, renameName } from "../forms/text-edits.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";
import { RuleNode } from "./rule-node.ts";

/** The target of a patch. */
export interface Patched {
  /** The rules of a whole object, by its own kind. */
  readonly object: RuleNode;
  /** The rules of the patched kind. */
  readonly kind: RuleNode;
  /** The rules of any kind. */
  readonly anyKind: RuleNode;
  readonly mapping: GroupMapping;
}

/** JSON Patch: the path of each operation determines the rules of its value. */
export function jsonPatchRules(patched: Patched): RuleNode {
  const operation = new RuleNode().capture("path").wait("value");
  const edits = (pointer: string) => pointerEdits(pointer, patched);
  operation.below("path").edits = edits;
  operation.below("from").edits = edits;
  operation.choice = {
    choose(captured) {
      const node = nodeAt(captured.get("path")?.[0] ?? "", patched);
      return node && new RuleNode().set("value", node);
    },
  };
  const patch = new RuleNode();
  patch.items = operation;
  return patch;
}

function nodeAt(pointer: string, patched: Patched): RuleNode | undefined {
  if (pointer === "") return patched.object;
  const segments = decodePointer(pointer);
  return segments.reduce<RuleNode | undefined>(
    (node, segment) => node && below(node, segment, patched),
    patched.kind,
  );
}

function below(node: RuleNode, segment: string, patched: Patched): RuleNode | undefined {
  const entry = node.entry(segment);
  if (entry?.waits) return withoutNeighbours(node, segment, patched);
  if (entry !== undefined) return entry.node;
  if (segment === "0" && node.first !== undefined) return node.first;
  return /^(?:\d+|-)$/.test(segment) && node.items !== undefined ? node.items : node.any;
}

/**
 * The rules of fields that depend on neighbours, which a patch does not show: nested objects have
 * the rules of any object, and names that may contain a group are rejected.
 */
function withoutNeighbours(
  { choice }: RuleNode,
  segment: string,
  { anyKind, mapping }: Patched,
): RuleNode | undefined {
  if (choice?.inherits) return anyKind.entry(segment)?.node;
  const name = new RuleNode();
  name.items = name;
  name.edits = (text) => {
    if (nameEdit(text, "resourceName", mapping) === undefined) return [];
    throw new UnreadableBodyError("JSON Patch", ambiguousName);
  };
  return name;
}

const ambiguousName =
  "a name in it ends with a mapped group, and may be that of a CustomResourceDefinition, an APIService or something else: patch all of what holds the name, such as the whole rule of a Role";

/** Renames keys in a pointer. */
function pointerEdits(pointer: string, patched: Patched): TextEdit[] {
  const { kind, mapping } = patched;
  const edits: TextEdit[] = [];
  let node: RuleNode | undefined = kind;
  let start = pointer.indexOf("/") + 1;
  for (const raw of pointer.split("/").slice(1)) {
    const segment = decodePointer(`/${raw}`)[0] ?? "";
    const renamed: string = node?.keyForm ? renameName(segment, node.keyForm, mapping) : segment;
    if (renamed !== segment) {
      edits.push({ start, end: start + raw.length, text: encodePointer(renamed) });
    }
    node = node && below(node, segment, patched);
    start += raw.length + 1;
  }
  return edits;
}
