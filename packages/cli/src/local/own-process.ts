import { existsSync, realpathSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The file by which Node runs this command: in a clone its source, else the bundle's launcher. */
export function mainFile(): string {
  const source = fileURLToPath(new URL("../main.ts", import.meta.url));
  if (existsSync(source)) return source;
  // npm links to the launchers, which are in one folder.
  const started = realpathSync(process.argv[1] ?? process.execPath);
  return join(dirname(started), "rookery.cjs");
}

/**
 * Lets another process of this command use the compile cache from its first file on. Otherwise Node
 * compiles that file each time, and loads its TypeScript for it: half of the CPU of a short command.
 */
export function compileCacheEnvironment(): Readonly<Record<string, string>> {
  // Node appends a folder of its version to the one in the variable.
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
