import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { FetchError } from "../errors.ts";
import { createRepository, defaultLimits, type Repository } from "./repository.ts";
import type { SourceOf } from "./source-url.ts";

/** Releases in a folder of this machine, one folder per version, as clusterctl's local repositories. */
export function createFolderRepository(options: SourceOf<"folder">): Repository {
  const { folder } = options;
  return createRepository(options, {
    listVersions: async () => {
      const entries = await readdir(folder, { withFileTypes: true }).catch(explain(folder));
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
    readFile: async (version, name) => {
      const path = pathBelow(folder, version, name);
      const { size } = await stat(path).catch(explain(path));
      if (size > defaultLimits.bytes) {
        throw new FetchError("TooLarge", path, `it is longer than ${defaultLimits.bytes} bytes`);
      }
      return readFile(path, "utf8").catch(explain(path));
    },
    listFiles: async (version) => {
      const path = pathBelow(folder, version);
      return readdir(path).catch(explain(path));
    },
  });
}

/** Throws FetchError for a name that leads out of the folder. */
function pathBelow(folder: string, ...names: readonly string[]): string {
  const path = join(folder, ...names);
  if (names.every((name) => name !== "" && !/[/\\\0]|^\.\.?$/.test(name))) return path;
  throw new FetchError("NotFound", path, "a version and a file have plain names");
}

function explain(path: string) {
  return (cause: NodeJS.ErrnoException): never => {
    const isMissing = cause.code === "ENOENT" || cause.code === "ENOTDIR";
    const why = isMissing ? "it is not there" : `it cannot be read (${cause.code})`;
    throw new FetchError(isMissing ? "NotFound" : "Unavailable", path, { why, cause });
  };
}
