import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { LockHeldError } from "../errors.ts";
import { noProgress, type Progress } from "../progress.ts";

const pollInterval = 100;
const sqliteBusy = 5;

export interface LockOptions {
  /** The holder's work, for messages to waiting processes: "builds kube-apiserver". */
  readonly purpose: string;
  /** false: fail with LockHeldError instead of waiting. */
  readonly wait?: boolean;
  readonly progress?: Progress;
}

/** A lock that is held until it is disposed of. */
export type Lock = AsyncDisposable;

/**
 * Takes a machine-wide lock. The kernel holds it (SQLite locks its file with fcntl, on every system
 * that Node runs on), so it ends with its holder: there are no stale locks. A file beside it names the
 * holder, for messages only.
 */
export async function acquireLock(file: string, options: LockOptions): Promise<Lock> {
  await mkdir(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    await waitForTurn(database, { ...options, file });
    await writeFile(holderFile(file), describeSelf(options.purpose));
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    async [Symbol.asyncDispose]() {
      if (!database.isOpen) return;
      await rm(holderFile(file), { force: true });
      database.close();
    },
  };
}

async function waitForTurn(
  database: DatabaseSync,
  options: LockOptions & { readonly file: string },
): Promise<void> {
  let isReported = false;
  while (!tryLock(database)) {
    if (options.wait === false) {
      throw new LockHeldError(options.file, await holder(options.file));
    }
    if (!isReported) (options.progress ?? noProgress)(`waiting for ${await holder(options.file)}`);
    isReported = true;
    await delay(pollInterval);
  }
}

function tryLock(database: DatabaseSync): boolean {
  try {
    database.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === sqliteBusy) return false;
    throw error;
  }
}

async function holder(file: string): Promise<string> {
  return readFile(holderFile(file), "utf8").catch(() => "a process that has just taken it");
}

function holderFile(file: string): string {
  return `${file}.holder`;
}

function describeSelf(purpose: string): string {
  return `process ${process.pid}, which ${purpose} since ${new Date().toISOString()}`;
}
