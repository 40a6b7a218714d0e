/** The imports between the files of a folder, read from their text. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** One import; both paths are relative to the root of the workspace. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

const relativeImport = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** All imports by product code: the sources without their unit tests. */
export function productImports(root: string): Import[] {
  const files = globSync("packages/*/src/**/*.{ts,mjs}", { cwd: root });
  return files
    .filter((file) => !/(?:\.test|-fixture)\.ts$/.test(file))
    .toSorted()
    .flatMap((from) => importsIn(readFileSync(join(root, from), "utf8"), from))
    .filter(({ to }) => existsSync(join(root, to)));
}

/** Every relative import of a text: of values and of types, static and dynamic, and re-exports. */
export function importsIn(text: string, from: string): Import[] {
  const found = text.matchAll(relativeImport);
  return [...found].map(([, path = ""]) => ({ from, to: normalize(join(dirname(from), path)) }));
}
