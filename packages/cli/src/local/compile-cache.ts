import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";

/**
 * Lets a process of ours use the compile cache from its very first file on. Without it that one is
 * compiled each time, and with it Node's TypeScript loaded: half of the CPU of a short command.
 */
export function compileCacheEnvironment(): Readonly<Record<string, string>> {
  // Node adds a folder of its version to the one that it is told.
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
