import type { Clock } from "@rookery/kube";
import { type Journal, noJournal } from "./journal.ts";
import { JournaledStore } from "./journaled-store.ts";
import { openSqliteJournal } from "./sqlite-journal.ts";
import type { Store } from "./store.ts";

export interface OpenStoreOptions {
  /** Created if missing; "" keeps everything in memory. Only one process may open it. */
  readonly folder: string;
  /** How long earlier states stay readable; 5 minutes by default. */
  readonly historyMs?: number;
  /** How many writes stay readable at most. */
  readonly maxHistory?: number;
  readonly now?: Clock;
}

/** Opens a store. Rejects with a StoreUnusableError. */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { folder, historyMs = 300_000, maxHistory = 20_000, now = () => new Date() } = options;
  const journal: Journal = folder === "" ? noJournal : openSqliteJournal(folder);
  try {
    return new JournaledStore(journal, { historyMs, maxHistory, now });
  } catch (error) {
    journal.close();
    throw error;
  }
}
