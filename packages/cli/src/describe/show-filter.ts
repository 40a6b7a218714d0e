import type { ConditionFilter, TreeNode } from "./tree-node.ts";

const notableSuffix = "+";

/**
 * Whether a list of filters has a node: "all", a kind, or a kind and a name, in any case. With a plus
 * behind it, only the conditions are meant that somebody should look at. The first that fits counts.
 */
export function showFilter(
  { kind, name }: Pick<TreeNode, "kind" | "name">,
  filters = "",
): ConditionFilter {
  const found = filters.split(",").find((filter) => {
    const [wanted = "", ...rest] = filter.replace(/\+$/, "").toLowerCase().split("/");
    if (filter === "") return false;
    if (wanted === "all" && rest.length === 0) return true;
    const isKind = wanted === kind.toLowerCase();
    return rest.length === 1 ? isKind && rest[0] === name.toLowerCase() : isKind;
  });
  if (found === undefined) return "none";
  return found.endsWith(notableSuffix) ? "notable" : "all";
}
