import type { Bounds } from "../cost/bounds.ts";
import type { SizeAt } from "../cost/known-sizes.ts";
import type { DeclType } from "./decl-type.ts";

/** How large the data of a schema can be at a path that begins with `self` or `oldSelf`. */
export function sizesOf(root: DeclType): SizeAt {
  return (path) => {
    let current: DeclType | "key" | undefined = root;
    for (const step of path.slice(1)) {
      current = current === "key" || current === undefined ? undefined : follow(current, step);
      if (current === undefined) return undefined;
    }
    return upTo(current === "key" || current === undefined ? 0 : current.maxElements);
  };
}

function follow(decl: DeclType, step: string): DeclType | "key" | undefined {
  switch (step) {
    case "@items":
    case "@values":
      return decl.kind === "list" || decl.kind === "map" ? decl.element : undefined;
    case "@keys":
      return decl.kind === "map" ? "key" : undefined;
    default:
      return decl.kind === "object" ? decl.fields.get(step) : undefined;
  }
}

function upTo(max: number): Bounds {
  return { min: 0, max };
}
