import type { TextEdit } from "../forms/form.ts";
import { renameName } from "../forms/rename-name.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";
import { RuleNode } from "./rule-node.ts";

/** What a patch is applied to: the rules of any object, and those of the kind that is patched. */
export interface Patched {
  readonly object: RuleNode;
  readonly kind: RuleNode;
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

function nodeAt(pointer: string, { object, kind }: Patched): RuleNode | undefined {
  if (pointer === "") return object;
  const segments = pointer.split("/").slice(1).map(unescapeSegment);
  return segments.reduce<RuleNode | undefined>(
    (node, segment) => node && below(node, segment),
    kind,
  );
}

/** What waits for its neighbours has no rules here: a patch does not show them. */
function below(node: RuleNode, segment: string): RuleNode | undefined {
  const entry = node.entry(segment);
  if (entry !== undefined) return entry.waits ? undefined : entry.node;
  if (segment === "0" && node.first !== undefined) return node.first;
  return /^(?:\d+|-)$/.test(segment) && node.items !== undefined ? node.items : node.any;
}

/** Renames the keys that a pointer leads through. */
function pointerEdits(pointer: string, { kind, mapping }: Patched): TextEdit[] {
  const edits: TextEdit[] = [];
  let node: RuleNode | undefined = kind;
  let start = pointer.indexOf("/") + 1;
  for (const raw of pointer.split("/").slice(1)) {
    const segment = unescapeSegment(raw);
    const renamed: string = node?.keyForm ? renameName(segment, node.keyForm, mapping) : segment;
    if (renamed !== segment) {
      edits.push({ start, end: start + raw.length, text: escapeSegment(renamed) });
    }
    node = node && below(node, segment);
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
