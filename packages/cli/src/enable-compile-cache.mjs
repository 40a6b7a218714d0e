// A plain file, as rookery.mjs is: it comes before all TypeScript.
import { mkdirSync, statSync } from "node:fs";
import * as nodeModule from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Keeps compiled code in a folder of this user alone. Node's own place for it is below the machine's
 * temporary folder, by a name that is known beforehand: whoever makes that one first gives this process its code.
 */
export function enableCompileCache(env = process.env, uid = process.getuid?.()) {
  const { NODE_COMPILE_CACHE: given, XDG_CACHE_HOME } = env;
  if (given) return nodeModule.enableCompileCache(given);
  try {
    const folder = join(XDG_CACHE_HOME || join(homedir(), ".cache"), "rookery", "compiled");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { mode, uid: owner } = statSync(folder);
    if ((mode & 0o022) !== 0 || (uid !== undefined && owner !== uid)) return undefined;
    return nodeModule.enableCompileCache(folder);
  } catch {
    // There is no place for it: it is compiled each time.
    return undefined;
  }
}
