/** The imports between product files, read from their text. */
import { dirname, join, normalize } from "node:path";

/** One import; both paths are relative to the root of the workspace. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

const relativeImport = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** Every relative import: of values and of types, static and dynamic, and re-exports. */
export function importsOf(sources: ReadonlyMap<string, string>): Import[] {
  return [...sources].flatMap(([from, text]) =>
    [...text.matchAll(relativeImport)].map(([, path = ""]) => ({
      from,
      to: normalize(join(dirname(from), path)),
    })),
  );
}
