import { access, chmod, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { CommandIo } from "../command.ts";

/** What is made once for a machine. */
export interface CachedProgram {
  readonly env: CommandIo["env"];
  /** With a key of what it is made of: another one is another program. */
  readonly name: string;
  /** Makes the file or the folder at this place. */
  readonly make: (staged: string) => Promise<void>;
}

/** Where programs are that starts have made on this machine. */
export function programsFolder(env: CommandIo["env"]): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "rookery", "programs");
}

/** Its path in the machine's cache, where it is made if it is not there yet. Rejects as `make` does. */
export async function cachedProgram({ env, name, make }: CachedProgram): Promise<string> {
  const folder = programsFolder(env);
  const path = join(folder, name);
  if (await isThere(path)) return path;
  const staged = `${path}.${process.pid}.making`;
  try {
    await mkdir(folder, { recursive: true });
    await make(staged);
    await openToAll(staged);
    await rename(staged, path);
  } catch (error) {
    // Of two that make it at the same time, one was first: it is the same program.
    if (!(await isThere(path))) throw error;
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
  return path;
}

/** Pods of other users run it, whatever modes this process makes its files with. */
async function openToAll(path: string): Promise<void> {
  const stats = await stat(path);
  const isFolder = stats.isDirectory();
  const isRun = isFolder || (stats.mode & 0o100) !== 0;
  await chmod(path, (stats.mode & 0o7777) | (isRun ? 0o555 : 0o444));
  if (!isFolder) return;
  for (const name of await readdir(path)) await openToAll(join(path, name));
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
