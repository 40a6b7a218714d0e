import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreUnusableError } from "../errors.ts";
import { writePrivateFile } from "./private-files.ts";

const fileName = "holder";

/** Records the holder of the folder for error messages. This is no lock. */
export function nameHolder(folder: string): void {
  writePrivateFile(join(folder, fileName), `${process.pid}\n`);
}

/** Why a locked folder can't be opened. */
export function describeHolder(folder: string): string {
  const holder = Number.parseInt(holderOf(folder), 10);
  const who = Number.isNaN(holder) ? "another process" : `process ${holder}`;
  return `${who} uses it; stop it or use another folder`;
}

function holderOf(folder: string): string {
  try {
    return readFileSync(join(folder, fileName), "utf8");
  } catch {
    return "";
  }
}

/**
 * Locks the store of a folder, also a damaged one, until disposal. Throws a StoreUnusableError if
 * another process holds it.
 */
export function lockStore(folder: string): Disposable {
  const file = join(folder, "store.sqlite");
  // Without a store there is nothing to lock.
  if (!existsSync(file)) return { [Symbol.dispose]: () => {} };
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    if (sqliteCode(error) === busyCode) {
      database.close();
      throw new StoreUnusableError(folder, describeHolder(folder), error);
    }
    // Nobody can open a damaged store.
  }
  return { [Symbol.dispose]: () => database.close() };
}

/** The primary result code of a locked database. */
export const busyCode = 5;

/** The primary code is the lowest byte of an extended one; -1 for other errors. */
export function sqliteCode(error: unknown): number {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : -1;
}
