import type { Paint } from "../output/colours.ts";
import type { TreeNode } from "./tree-node.ts";

const plain: Paint = (_, text) => text;

/** The name of a node in its line. */
export function rowName(node: TreeNode, paint: Paint = plain): string {
  const { kind, name, shape, role, object, group } = node;
  if (group) return paint(["white", "bold"], `${group.names.length} ${pluralOf(kind)}...`);
  if (shape === "virtual") return role ?? name;
  const own = `${kind}/${paint("bold", name)}`;
  const named = role ? `${role} - ${paint("gray", own)}` : own;
  return object?.metadata.deletionTimestamp ? `${paint("red", "!! DELETED !!")} ${named}` : named;
}

/** "MachineGroup" is shown as "Machines". */
function pluralOf(groupKind: string): string {
  const kind = groupKind.replace(/Group$/, "");
  return kind.endsWith("y") ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}
