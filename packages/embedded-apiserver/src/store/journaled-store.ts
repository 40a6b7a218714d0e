import type { StoreEntry, StoreEvent, StoreKey, StorePage, StoreSubscription } from "@rookery/kube";
import { type Clock, internalError } from "@rookery/kube";
import { StoreWriteError } from "../errors.ts";
import { Batch } from "./batch.ts";
import type { History, PastEvent } from "./history.ts";
import { entriesBefore } from "./history.ts";
import type { Journal } from "./journal.ts";
import type { Resources } from "./replay.ts";
import { replay } from "./replay.ts";
import type { Store, Write } from "./store.ts";
import { Subscriptions } from "./subscriptions.ts";

export interface HistoryLimits {
  readonly historyMs: number;
  /** Number of writes. */
  readonly maxHistory: number;
  readonly now: Clock;
}

interface PendingWrite {
  readonly write: Write;
  readonly resolve: (entry: StoreEntry) => void;
  readonly reject: (error: unknown) => void;
}

/** Memory bound of replaced objects in the history. */
const maxReplacedBytes = 32 * 1024 * 1024;

const checkpointAfterMs = 1000;

/** An in-memory store that journals writes before they become visible. */
export class JournaledStore implements Store {
  readonly #journal: Journal;
  readonly #limits: HistoryLimits;
  readonly #resources: Resources;
  readonly #history: History;
  readonly #subscriptions = new Subscriptions();
  readonly #compaction: NodeJS.Timeout;
  readonly #checkpoint: NodeJS.Timeout;
  #revision: number;
  #pending: PendingWrite[] = [];
  #isClosed = false;

  constructor(journal: Journal, limits: HistoryLimits) {
    const { resources, history, revision } = replay(journal);
    this.#journal = journal;
    this.#limits = limits;
    this.#resources = resources;
    this.#history = history;
    this.#revision = revision;
    this.#compaction = setInterval(() => this.#compactOld(), Math.max(limits.historyMs / 5, 1000));
    this.#compaction.unref();
    this.#checkpoint = setTimeout(() => this.#tryCheckpoint(), checkpointAfterMs).unref();
  }

  get revision(): number {
    return this.#revision;
  }

  get(key: StoreKey): StoreEntry | undefined {
    return this.#resources.get(key);
  }

  list(resource: string, options: { namespace?: string; revision?: number } = {}): StorePage {
    const { namespace, revision = this.#revision } = options;
    const entries = this.#resources.list(resource, namespace);
    if (revision === this.#revision) return { entries, revision };
    this.#assertReached(revision);
    const since = this.#history.after(revision);
    return { entries: entriesBefore(entries, since, { resource, namespace }), revision };
  }

  write(write: Write): Promise<StoreEntry> {
    if (this.#isClosed) return Promise.reject(new Error("could not write: the store is closed"));
    return new Promise((resolve, reject) => {
      // Writes of one event loop turn share a transaction.
      if (this.#pending.length === 0) setImmediate(() => this.#commit());
      this.#pending.push({ write, resolve, reject });
    });
  }

  watch(resource: string, from: number, listener: (event: StoreEvent) => void): StoreSubscription {
    const events = this.#history.after(from);
    return this.#subscriptions.add(resource, listener, { from, events });
  }

  past(after: number, limit: number): readonly StoreEvent[] {
    return this.#history.after(after, limit);
  }

  async compact(revision: number): Promise<void> {
    this.#assertReached(revision);
    this.#compact(revision);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#commit();
    this.#isClosed = true;
    clearInterval(this.#compaction);
    clearTimeout(this.#checkpoint);
    this.#subscriptions.clear();
    this.#journal.close();
  }

  #commit(): void {
    const pending = this.#pending;
    this.#pending = [];
    if (pending.length === 0) return;
    const batch = this.#newBatch();
    const outcomes = pending.map((item) => prepare(batch, item));
    try {
      this.#journal.append(batch.rows);
    } catch (error) {
      // Clients see the reason, as with etcd.
      const refusal = error instanceof StoreWriteError ? internalError(error) : error;
      for (const { reject } of pending) reject(refusal);
      return;
    }
    this.#publish(batch.events);
    for (const settle of outcomes) settle();
    this.#boundHistory();
    this.#checkpoint.refresh();
  }

  #newBatch(): Batch {
    return new Batch({
      revision: this.#revision,
      time: this.#limits.now().getTime(),
      get: (key) => this.#resources.get(key),
    });
  }

  /** Applies all events before the first notification: listeners may read anything. */
  #publish(events: readonly PastEvent[]): void {
    for (const event of events) {
      this.#resources.apply(event);
      this.#history.push(event);
      this.#revision = event.revision;
    }
    for (const event of events) this.#subscriptions.deliver(event);
  }

  #boundHistory(): void {
    const { maxHistory } = this.#limits;
    const { length, replacedBytes } = this.#history;
    if (length > maxHistory * 1.1) this.#tryCompact(this.#revision - maxHistory);
    else if (replacedBytes > maxReplacedBytes) {
      this.#tryCompact(this.#revision - Math.floor(length * 0.9));
    }
  }

  #compactOld(): void {
    const { now, historyMs } = this.#limits;
    this.#tryCompact(this.#history.revisionAt(now().getTime() - historyMs));
  }

  /** A failed compaction, such as on a full disk, is repeated later. */
  #tryCompact(revision: number): void {
    try {
      this.#compact(revision);
    } catch {}
  }

  /** A failed checkpoint is repeated later. */
  #tryCheckpoint(): void {
    try {
      this.#journal.checkpoint();
    } catch {}
  }

  #compact(revision: number): void {
    if (revision <= this.#history.compacted) return;
    this.#journal.compact(revision);
    this.#history.compact(revision);
  }

  #assertReached(revision: number): void {
    if (revision <= this.#revision) return;
    throw new RangeError(
      `could not go to revision ${revision}: ${this.#revision} is the newest one`,
    );
  }
}

function prepare(batch: Batch, { write, resolve, reject }: PendingWrite): () => void {
  try {
    const entry = batch.add(write);
    return () => resolve(entry);
  } catch (error) {
    return () => reject(error);
  }
}
