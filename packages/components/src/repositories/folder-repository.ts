import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { FetchError } from "../errors.ts";
import { createRepository, defaultLimits, type Repository } from "./repository.ts";

export interface FolderOptions {
  /** The folder that has one folder per version. */
  readonly folder: string;
  readonly componentsFile: string;
  readonly pinnedVersion?: string | undefined;
}

/** Releases in a folder of this machine, one folder per version, as clusterctl's local repositories. */
export function createFolderRepository(options: FolderOptions): Repository {
  const { folder } = options;
  return createRepository({
    componentsFile: options.componentsFile,
    pinnedVersion: options.pinnedVersion,
    listVersions: async () => {
      const entries = await readdir(folder, { withFileTypes: true }).catch(notThere(folder));
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
    readFile: async (version, name) => {
      const path = join(folder, version, name);
      if (!isPlainName(version) || !isPlainName(name)) {
        throw new FetchError("NotFound", path, { why: onlyPlain });
      }
      const { size } = await stat(path).catch(notThere(path));
      if (size > defaultLimits.bytes) {
        const why = `it is longer than ${defaultLimits.bytes} bytes`;
        throw new FetchError("TooLarge", path, { why });
      }
      return readFile(path, "utf8").catch(notThere(path));
    },
    listFiles: async (version) => {
      const path = join(folder, version);
      if (!isPlainName(version)) throw new FetchError("NotFound", path, { why: onlyPlain });
      return readdir(path).catch(notThere(path));
    },
  });
}

const onlyPlain = "a version and a file have plain names";

function isPlainName(name: string): boolean {
  return name !== "" && !/[/\\\0]|^\.\.?$/.test(name);
}

function notThere(path: string) {
  return (cause: NodeJS.ErrnoException): never => {
    const isMissing = cause.code === "ENOENT" || cause.code === "ENOTDIR";
    const why = isMissing ? "it is not there" : `it cannot be read (${cause.code})`;
    throw new FetchError(isMissing ? "NotFound" : "Unavailable", path, { why, cause });
  };
}
