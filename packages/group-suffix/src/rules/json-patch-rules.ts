import { UnreadableBodyError } from "../errors.ts";
import type { TextEdit } from "../forms/form.ts";
import { nameEdit, renameName } from "../forms/text-edits.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";
import { RuleNode } from "./rule-node.ts";

/** What a patch is applied to. */
export interface Patched {
  /** Rules for a whole object, which tells its kind itself. */
  readonly object: RuleNode;
  /** Rules of the kind that is patched. */
  readonly kind: RuleNode;
  /** What holds for objects of any kind. */
  readonly anyKind: RuleNode;
  readonly mapping: GroupMapping;
}

/** A JSON Patch: the path of each operation tells which rules its value follows. */
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
  const segments = pointer.split("/").slice(1).map(unescapeSegment);
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
 * The rules for what depends on the fields beside it, which a patch does not show: a part of an
 * object is one of any object, and a name must not be one that could hold a group.
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

/** Renames the keys that a pointer leads through. */
function pointerEdits(pointer: string, patched: Patched): TextEdit[] {
  const { kind, mapping } = patched;
  const edits: TextEdit[] = [];
  let node: RuleNode | undefined = kind;
  let start = pointer.indexOf("/") + 1;
  for (const raw of pointer.split("/").slice(1)) {
    const segment = unescapeSegment(raw);
    const renamed: string = node?.keyForm ? renameName(segment, node.keyForm, mapping) : segment;
    if (renamed !== segment) {
      edits.push({ start, end: start + raw.length, text: escapeSegment(renamed) });
    }
    node = node && below(node, segment, patched);
    start += raw.length + 1;
  }
  return edits;
}

function unescapeSegment(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}

function escapeSegment(segment: string): string {
  return segment.replaceAll("~", "~0").replaceAll("/", "~1");
}
