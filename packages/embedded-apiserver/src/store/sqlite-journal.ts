import { closeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { messageOf } from "@rookery/errors";
import { StoreUnusableError, StoreWriteError } from "../errors.ts";
import { firstRevision } from "./history.ts";
import type { Journal, JournalRow } from "./journal.ts";
import { busyCode, describeHolder, nameHolder, sqliteCode } from "./lock-store.ts";
import { makeFolder } from "./make-folder.ts";
import { openPrivateFile, tightenData } from "./private-files.ts";

/** "Rook": marks the files of this program. */
const applicationId = 0x526f6f6b;
const formatVersion = 1;

/**
 * SQLite locks the file itself, and the system frees the lock with the process. A commit survives
 * the end of this process. "synchronous=NORMAL" syncs only at checkpoints: a power failure may lose
 * the last writes, but leaves a consistent revision. Checkpoints run while idle, or after 32 MB.
 */
const settings = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA wal_autocheckpoint = 8192;
  PRAGMA journal_size_limit = 8388608;
  PRAGMA cache_size = -2048;`;

const schema = `
  CREATE TABLE writes (
    revision INTEGER PRIMARY KEY,
    previous INTEGER NOT NULL,
    resource TEXT NOT NULL,
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    time INTEGER NOT NULL,
    object BLOB
  ) STRICT;
  CREATE TABLE compaction (revision INTEGER NOT NULL) STRICT;
  INSERT INTO compaction VALUES (${firstRevision});
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${formatVersion};`;

/** Creates the folder if missing. Throws a StoreUnusableError. */
export function openSqliteJournal(folder: string): Journal {
  let database: DatabaseSync | undefined;
  try {
    makeFolder(folder, { mode: 0o700 });
    tightenData(folder);
    const file = join(folder, "store.sqlite");
    // SQLite creates its other files with this file's mode.
    closeSync(openPrivateFile(file));
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    prepareTables(database);
    database.exec(settings);
    nameHolder(folder);
    return new SqliteJournal(database, folder);
  } catch (error) {
    if (database?.isOpen) database.close();
    throw error instanceof StoreUnusableError ? error : unusable(folder, error);
  }
}

function prepareTables(database: DatabaseSync): void {
  database.exec("BEGIN EXCLUSIVE");
  const tables = number(database, "SELECT count(*) AS value FROM sqlite_schema");
  const id = number(database, "SELECT application_id AS value FROM pragma_application_id");
  const version = number(database, "SELECT user_version AS value FROM pragma_user_version");
  if (tables === 0 && id === 0) database.exec(schema);
  else if (id !== applicationId) throw foreign("it is a database of another program");
  else if (version > formatVersion) throw foreign("it was written by a newer version of Rookery");
  database.exec("COMMIT");
}

function number(database: DatabaseSync, query: string): number {
  return Number(database.prepare(query).get()?.value ?? 0);
}

function foreign(why: string): Error {
  return new Error(`${why}; take another folder`);
}

const causes = new Map([
  [8, "it can't be written"],
  [10, "the disk failed"],
  [11, "it is damaged; restore it from a copy, or remove the folder to start over"],
  [13, "the disk is full; make room"],
  [14, "it can't be opened; see whether the folder may be written"],
  [26, "it is not a database of Rookery, or is damaged; move it away or take another folder"],
]);

function unusable(folder: string, error: unknown): StoreUnusableError {
  const code = sqliteCode(error);
  if (code === busyCode) return new StoreUnusableError(folder, describeHolder(folder), error);
  const message = messageOf(error);
  const why = isSystemError(error) ? `${message}; take a folder that can be written` : message;
  return new StoreUnusableError(folder, causes.get(code) ?? why, error);
}

/** A file system error, not one of SQLite. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

class SqliteJournal implements Journal {
  readonly #database: DatabaseSync;
  readonly #folder: string;
  readonly #insert: StatementSync;

  constructor(database: DatabaseSync, folder: string) {
    this.#database = database;
    this.#folder = folder;
    this.#insert = database.prepare("INSERT INTO writes VALUES (?, ?, ?, ?, ?, ?, ?)");
  }

  get compacted(): number {
    return number(this.#database, "SELECT revision AS value FROM compaction");
  }

  *rows(): Iterable<JournalRow> {
    try {
      const query = "SELECT * FROM writes ORDER BY revision";
      for (const row of this.#database.prepare(query).iterate()) yield rowOf(row);
    } catch (error) {
      throw unusable(this.#folder, error);
    }
  }

  append(rows: readonly JournalRow[]): void {
    this.#transact(() => {
      for (const row of rows) {
        const { revision, previous, resource, namespace, name, time, bytes = null } = row;
        this.#insert.run(revision, previous, resource, namespace, name, time, bytes);
      }
    });
  }

  compact(revision: number): void {
    const range = `revision > (SELECT revision FROM compaction) AND revision <= ${revision}`;
    this.#transact(() => {
      this.#database.exec(`
        DELETE FROM writes WHERE revision IN (SELECT previous FROM writes WHERE ${range});
        DELETE FROM writes WHERE ${range} AND object IS NULL;
        UPDATE compaction SET revision = ${revision};`);
    });
  }

  checkpoint(): void {
    this.#database.exec("PRAGMA wal_checkpoint(PASSIVE)");
  }

  close(): void {
    this.#database.close();
  }

  #transact(work: () => void): void {
    try {
      this.#database.exec("BEGIN");
      work();
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      const why = causes.get(sqliteCode(error)) ?? String(error);
      throw new StoreWriteError(this.#folder, why, error);
    }
  }
}

function rowOf(row: Record<string, unknown>): JournalRow {
  return {
    revision: Number(row.revision),
    previous: Number(row.previous),
    resource: String(row.resource),
    namespace: String(row.namespace),
    name: String(row.name),
    time: Number(row.time),
    bytes: row.object instanceof Uint8Array ? row.object : undefined,
  };
}
