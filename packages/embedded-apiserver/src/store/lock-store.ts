import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreUnusableError } from "../errors.ts";
import { describeHolder } from "./holder.ts";

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
