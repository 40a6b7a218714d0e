import type { ObjectTree } from "./object-tree.ts";
import { type TreeNode, treeNode } from "./tree-node.ts";

/** Templates have no conditions: only what is named is shown. */
export function addTemplates(
  tree: ObjectTree,
  parent: TreeNode,
  templates: Readonly<Record<string, unknown>>,
): void {
  const named = Object.entries(templates).flatMap(([role, reference]) => {
    const { kind, name } = Object(reference);
    return kind && name ? [treeNode({ kind, name, shape: "reference", role })] : [];
  });
  if (named.length === 0) return;
  const group = { kind: "TemplateGroup", name: parent.name, shape: "virtual" } as const;
  const node = treeNode({ ...group, role: "Templates", order: 1 });
  tree.add(parent, node);
  for (const template of named) tree.add(node, template);
}
