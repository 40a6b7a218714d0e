import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { MoveError } from "../errors.ts";
import type { MoveJournal } from "./journal-state.ts";
import { type JournalState, packState, unpackState } from "./journal-state.ts";

/** Among the user's own files and not in the folder, because a journal decides which objects are deleted. */
function journalFile(folder: string): string {
  const { XDG_STATE_HOME: own } = process.env;
  const state = own || join(homedir(), ".local", "state");
  const name = createHash("sha256").update(resolve(folder)).digest("hex").slice(0, 32);
  return join(state, "rookery", "moves", name);
}

/** The journal of an unfinished move from a folder. */
export async function findFileJournal(folder: string): Promise<MoveJournal | undefined> {
  try {
    return new FileJournal(folder, unpackState(await readFile(journalFile(folder))));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export async function createFileJournal(folder: string, state: JournalState): Promise<MoveJournal> {
  const journal = new FileJournal(folder, state);
  await journal.save({});
  return journal;
}

class FileJournal implements MoveJournal {
  readonly name: string;
  state: JournalState;

  constructor(folder: string, state: JournalState) {
    this.name = journalFile(folder);
    this.state = state;
  }

  async save(change: Partial<JournalState>): Promise<void> {
    const state = { ...this.state, ...change };
    const next = `${this.name}.${process.pid}`;
    try {
      await mkdir(dirname(this.name), { recursive: true, mode: 0o700 });
      await writeFile(next, packState(state), { mode: 0o600 });
      await rename(next, this.name);
    } catch (error) {
      await rm(next, { force: true });
      const why = `could not write ${this.name}: ${(error as Error).message}`;
      throw new MoveError("InvalidInput", why, { cause: error });
    }
    this.state = state;
  }

  async confirm(): Promise<void> {}

  async close(): Promise<void> {
    await rm(this.name, { force: true });
  }
}
