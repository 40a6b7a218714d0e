import type { Lane } from "./lane.ts";
import type { PriorityLevel } from "./priority-fifo.ts";

/**
 * The state of one key in a queue. An entry is handed out while it is "processing"; requests meanwhile are its `demand`:
 * to be ready again after that, or to wait for a time.
 */
export class Entry<T> {
  key: string;
  item: T;
  demand: "none" | "waiting" | "ready" = "none";
  /** The highest requested priority. */
  priority = 0;
  /** The index among the entries that are handed out, and their priority at that time. */
  processingIndex = -1;
  processingPriority = 0;

  /** The place among the entries that are ready: a level, and the neighbours in it. */
  level: PriorityLevel<T> | undefined = undefined;
  previous: Entry<T> | undefined = undefined;
  next: Entry<T> | undefined = undefined;
  /** The place among the entries of the level that share workers with it. */
  lane: Lane<T> | undefined = undefined;
  lanePrevious: Entry<T> | undefined = undefined;
  laneNext: Entry<T> | undefined = undefined;
  /** The groups whose share it takes. */
  groups: readonly string[] = [];
  /** Increases with every entry that is added to a level or to the heap. */
  sequence = 0;

  /** The place among the entries that wait. */
  readyAt = 0;
  heapIndex = -1;

  /** Times for the metrics; unused without metrics. */
  readySince = 0;
  processingSince = 0;

  constructor(key: string, item: T) {
    this.key = key;
    this.item = item;
  }

  get processing(): boolean {
    return this.processingIndex >= 0;
  }
}
