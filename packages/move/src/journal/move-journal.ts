import type { JournalState } from "./journal-state.ts";

/** Where the state of a move is kept, so that it outlives the process. */
export interface MoveJournal {
  /** How it is called, for people. */
  readonly name: string;
  readonly state: JournalState;
  /** When it was made, by a clock that who writes its content cannot set; undefined where that is this user's. */
  readonly began?: Date;
  /** Keeps another state. Rejects where another process has taken the move over. */
  save(change: Partial<JournalState>): Promise<void>;
  /** Rejects where another process has taken the move over. */
  confirm(): Promise<void>;
  /** The move is over. */
  close(): Promise<void>;
}
