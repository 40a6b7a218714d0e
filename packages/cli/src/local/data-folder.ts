import { access, constants, readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@rookery/errors";
import { isDataEntry, makeFolder, tightenData } from "@rookery/local";
import { LocalFolderError } from "../errors.ts";

const store = "store.sqlite";

/** Creates the folder if it is missing. Throws LocalFolderError. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    makeFolder(folder, { mode: 0o700 });
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new LocalFolderError(folder, whyNot(error), error);
  }
  if (!(await isOurs(folder))) {
    throw new LocalFolderError(
      folder,
      "it holds files of something else; take an empty folder, or one that is not there yet, by --data",
    );
  }
  tightenData(folder);
}

/** Whether it contains Rookery's store, or only files that Rookery may have created. */
async function isOurs(folder: string): Promise<boolean> {
  const entries = await readdir(folder);
  return entries.includes(store) || entries.every(isDataEntry);
}

/** Whether it contains data. Throws LocalFolderError for a folder of another program. */
export async function isDataFolder(folder: string): Promise<boolean> {
  const entries = await entriesOf(folder);
  if (entries === undefined || entries.length === 0) return false;
  if (entries.some((name) => isDataEntry(name)) && (await isOurs(folder))) return true;
  const why = "it holds files of something else, and none of a Rookery's store; see --data";
  throw new LocalFolderError(folder, why);
}

/** Removes Rookery's files, and the folder unless it contains others. */
export async function removeData(folder: string): Promise<{ readonly left: readonly string[] }> {
  const entries = (await entriesOf(folder)) ?? [];
  try {
    for (const name of entries.filter(isDataEntry)) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
    const left = await readdir(folder);
    if (left.length === 0) await rmdir(folder);
    return { left };
  } catch (error) {
    throw new LocalFolderError(folder, whyNot(error), error);
  }
}

/** The size in bytes. */
export async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return 0;
  if (!found.isDirectory()) return found.size;
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  // Targets of links are outside of the folder.
  const own = entries.filter((entry) => !entry.isSymbolicLink());
  const sizes = await Promise.all(own.map(({ name }) => sizeOf(join(path, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function entriesOf(folder: string): Promise<string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new LocalFolderError(folder, whyNot(error), error);
  }
}

const elsewhere = "take another folder by --data";
const causes: Readonly<Record<string, string>> = {
  EACCES: `you may not write there; ${elsewhere}, or change who owns it`,
  EPERM: `you may not write there; ${elsewhere}, or change who owns it`,
  EROFS: `its file system is read-only; ${elsewhere}`,
  ENOSPC: `the disk is full; make room, or ${elsewhere}`,
  EDQUOT: `your quota of the disk is used up; make room, or ${elsewhere}`,
  ENOTDIR: `a part of it is a file; ${elsewhere}`,
  EEXIST: `it is a file; ${elsewhere}`,
};

/** The reason of a file error, and how to solve it. */
export function whyNot(error: unknown): string {
  const message = messageOf(error);
  return causes[codeOf(error)] ?? `${message}; ${elsewhere}`;
}

/** Knows the messages of the file system and of SQLite. */
export function isFullDisk(error: unknown): boolean {
  return /ENOSPC|disk is full/.test(messageOf(error));
}

function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}
