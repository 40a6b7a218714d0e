import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MoveError } from "../errors.ts";
import { type JournalState, packState, unpackState } from "./journal-state.ts";
import type { MoveJournal } from "./move-journal.ts";

/** Not the name of an object: it stands beside their files. */
const journalFile = ".rookery-move";

/** The journal of a move out of a folder that is not over. */
export async function findFileJournal(folder: string): Promise<MoveJournal | undefined> {
  try {
    return new FileJournal(folder, unpackState(await readFile(join(folder, journalFile))));
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
    this.name = join(folder, journalFile);
    this.state = state;
  }

  async save(change: Partial<JournalState>): Promise<void> {
    const state = { ...this.state, ...change };
    const next = `${this.name}.${process.pid}`;
    try {
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
