import type { Clock } from "@rookery/kube";
import { type Journal, noJournal } from "./journal.ts";
import { JournaledStore } from "./journaled-store.ts";
import { openSqliteJournal } from "./sqlite-journal.ts";
import type { Store } from "./store.ts";

export interface OpenStoreOptions {
  /** Made where it is missing; "" keeps all in memory. One process at a time may have it. */
  readonly folder: string;
  /** How long it is known what was there before a write; 5 minutes unless told otherwise. */
  readonly historyMs?: number;
  /** Writes that are known of at most, however young they are. */
  readonly maxHistory?: number;
  readonly now?: Clock;
}

/** Finds again what is there. Rejects with a StoreUnusableError that says the way out. */
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
