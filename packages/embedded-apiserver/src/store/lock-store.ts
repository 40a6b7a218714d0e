import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreUnusableError } from "../errors.ts";
import { writePrivateFile } from "./private-files.ts";

const fileName = "holder";

/** Leaves word of who has the folder, for the message that the next one gets. It is no lock. */
export function nameHolder(folder: string): void {
  writePrivateFile(join(folder, fileName), `${process.pid}\n`);
}

/** Why a folder can't be had that another process has locked. */
export function describeHolder(folder: string): string {
  const holder = Number.parseInt(holderOf(folder), 10);
  const who = Number.isNaN(holder) ? "another process" : `process ${holder}`;
  return `${who} uses it; end that one or take another folder`;
}

function holderOf(folder: string): string {
  try {
    return readFileSync(join(folder, fileName), "utf8");
  } catch {
    return "";
  }
}

/**
 * Holds the store of a folder, whatever state it is in, so that nobody opens it before it is let go
 * of. Throws a StoreUnusableError where a process has it.
 */
export function lockStore(folder: string): Disposable {
  const file = join(folder, "store.sqlite");
  // There is nothing to hold, and nothing is to be made.
  if (!existsSync(file)) return { [Symbol.dispose]: () => {} };
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    if (isBusy(error)) {
      database.close();
      throw new StoreUnusableError(folder, describeHolder(folder), error);
    }
    // A damaged one can't be locked, nor can anyone use it.
  }
  return { [Symbol.dispose]: () => database.close() };
}

const busy = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === busy;
}
