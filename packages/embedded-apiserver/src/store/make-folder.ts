import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Creates a folder and its parents. Node's recursive mkdir never returns on file systems such as
 * /proc, which report ENOENT. Throws the system's error, with an explanation where it has none.
 */
export function makeFolder(folder: string, { mode = 0o777 }: { mode?: number } = {}): void {
  if (isFolder(folder)) return;
  const parent = dirname(resolve(folder));
  if (!existsSync(parent)) makeFolder(parent, { mode });
  try {
    mkdirSync(folder, { mode });
  } catch (cause) {
    if (codeOf(cause) === "EEXIST" && isFolder(folder)) return;
    if (codeOf(cause) !== "ENOENT") throw cause;
    const why = `nothing can be made in ${parent}, which is no file system for data`;
    throw Object.assign(new Error(why, { cause }), { code: "ENOENT", syscall: "mkdir" });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
