import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { CommandIo } from "../command.ts";
import { cacheFolder } from "../local/flags.ts";

/** A file or folder that is made once for a machine. */
export interface CachedProgram {
  readonly env: CommandIo["env"];
  /** Contains a key of its sources, so that other sources make another program. */
  readonly name: string;
  /** Makes the file or the folder at this path. */
  readonly make: (staged: string) => Promise<void>;
}

/** The folder of the programs that starts have made. */
export function programsFolder(env: CommandIo["env"]): string {
  return join(cacheFolder(env), "programs");
}

/** Its path in the machine's cache, after it was made if it was missing. Throws the errors of `make`. */
export async function cachedProgram({ env, name, make }: CachedProgram): Promise<string> {
  const folder = programsFolder(env);
  const path = join(folder, name);
  if (existsSync(path)) return path;
  const staged = `${path}.${process.pid}.making`;
  try {
    await mkdir(folder, { recursive: true });
    await make(staged);
    await openToAll(staged);
    await rename(staged, path);
  } catch (error) {
    // Another process has made the same program at the same time.
    if (!existsSync(path)) throw error;
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
  return path;
}

/** Makes it readable, as pods of other users run it, whatever the umask is. */
async function openToAll(path: string): Promise<void> {
  const stats = await stat(path);
  const isFolder = stats.isDirectory();
  const isRun = isFolder || (stats.mode & 0o100) !== 0;
  await chmod(path, (stats.mode & 0o7777) | (isRun ? 0o555 : 0o444));
  if (!isFolder) return;
  for (const name of await readdir(path)) await openToAll(join(path, name));
}
