/** Files that a package's index.ts exports although no product code uses them. */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import type { Import } from "./imports.ts";

/** The text of each product file, by its path from the root of the workspace. */
export type Sources = ReadonlyMap<string, string>;

const harness = "packages/testing/";
const namedExports = /\bexport\s+(?:type\s+)?\{([^}]*)\}\s+from\s+"(\.[^"]+)"/g;
const namedImports = /\b(?:im|ex)port\s+(?:type\s+)?\{([^}]*)\}\s+from\s+"@rookery\/([^"]+)"/g;
const dynamicImports = /\bimport\("@rookery\/([^"]+)"\)/g;

export function productSources(root: string): Sources {
  const files = globSync("packages/*/{src,launcher}/**/*.{ts,mjs,cjs}", { cwd: root });
  const product = files.filter((file) => !/\.test\.ts$/.test(file)).toSorted();
  return new Map(product.map((file) => [file, readFileSync(join(root, file), "utf8")]));
}

/**
 * The files that are reached by an index.ts alone, and of whose names no other package's product code
 * imports one. Unused files behind no index.ts are found by knip.
 */
export function exportedForTests(sources: Sources, imports: readonly Import[]): string[] {
  const used = usedNames(sources);
  const inner = new Set(imports.filter(({ from }) => !isIndex(from)).map(({ to }) => to));
  return [...sources.keys()]
    .filter((file) => isIndex(file) && !file.startsWith(harness))
    .flatMap((index) => {
      const names = used.get(packageOf(index)) ?? new Set();
      const unused = ([file, own]: [string, string[]]) =>
        !inner.has(file) && !own.some((name) => names.has(name));
      return [...exportsOf(index, sources)].filter(unused).map(([file]) => file);
    });
}

/** The names that an index.ts exports, by the file that declares them. */
function exportsOf(index: string, sources: Sources): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [, list = "", path = ""] of (sources.get(index) ?? "").matchAll(namedExports)) {
    const file = normalize(join(dirname(index), path));
    found.set(file, [...(found.get(file) ?? []), ...namesIn(list).map(({ as }) => as)]);
  }
  return found;
}

/** What product code imports from each package. Of a dynamic import any word of the file may be a name. */
function usedNames(sources: Sources): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  const add = (name: string, names: readonly string[]) =>
    used.set(name, new Set([...(used.get(name) ?? []), ...names]));
  for (const [file, text] of sources) {
    if (file.startsWith(harness)) continue;
    for (const [, list = "", name = ""] of text.matchAll(namedImports)) {
      add(
        name,
        namesIn(list).map((one) => one.name),
      );
    }
    for (const [, name = ""] of text.matchAll(dynamicImports)) add(name, text.match(/\w+/g) ?? []);
  }
  return used;
}

function namesIn(list: string): { readonly name: string; readonly as: string }[] {
  const parts = list.split(",").map((part) => part.trim().replace(/^type /, ""));
  return parts
    .filter((part) => part !== "")
    .map((part) => {
      const [name = "", as = name] = part.split(/\s+as\s+/);
      return { name, as };
    });
}

function isIndex(file: string): boolean {
  return basename(file) === "index.ts" && dirname(file).endsWith("/src");
}

function packageOf(file: string): string {
  return file.split("/")[1] ?? "";
}
