/** Folders of a package that depend on each other in both directions. */
import type { Import } from "./imports.ts";

/** That files of `from` import files of `to`; both are folders in `parent`. */
export interface Dependency {
  readonly parent: string;
  readonly from: string;
  readonly to: string;
  readonly imports: readonly Import[];
}

/**
 * The dependencies between sibling folders that are part of a cycle, at any depth below `src`. A file
 * belongs to every folder above it. Files that lie directly in the common parent belong to neither of
 * two siblings: they may import both and be imported by both.
 */
export function twoWayDependencies(imports: readonly Import[]): Dependency[] {
  const all = siblingDependencies(imports);
  return all.filter(({ parent, from, to }) => {
    const siblings = all.filter((one) => one.parent === parent);
    return reachable(siblings, to).has(from);
  });
}

export function nameOf({ parent, from, to }: Dependency): string {
  return `${parent}: ${from} -> ${to}`;
}

function siblingDependencies(imports: readonly Import[]): Dependency[] {
  const found = new Map<string, Dependency & { readonly imports: Import[] }>();
  for (const one of imports) {
    const dependency = dependencyBy(one);
    if (!dependency) continue;
    const name = nameOf(dependency);
    const known = found.get(name);
    if (known) known.imports.push(one);
    else found.set(name, { ...dependency, imports: [one] });
  }
  return [...found.values()];
}

/** Undefined where one of the files lies directly in the common parent of both. */
function dependencyBy(one: Import): Dependency | undefined {
  const [from, to] = [one.from.split("/"), one.to.split("/")];
  const depth = from.findIndex((part, at) => part !== to[at]);
  if (depth === -1 || depth >= from.length - 1 || depth >= to.length - 1) return undefined;
  const [fromFolder = "", toFolder = ""] = [from[depth], to[depth]];
  const parent = from.slice(0, depth).join("/");
  return { parent, from: fromFolder, to: toFolder, imports: [one] };
}

function reachable(dependencies: readonly Dependency[], start: string): Set<string> {
  const seen = new Set<string>();
  const next = [start];
  for (let folder = next.pop(); folder !== undefined; folder = next.pop()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    next.push(...dependencies.filter((one) => one.from === folder).map((one) => one.to));
  }
  return seen;
}
