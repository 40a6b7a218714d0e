import type { Lane } from "./lane.ts";
import type { PriorityLevel } from "./priority-fifo.ts";

/**
 * What a queue knows of one key. An entry is handed out while it is "processing"; what was asked for
 * meanwhile is its `demand`: to be ready again when that is done, or to wait for its time.
 */
export class Entry<T> {
  key: string;
  item: T;
  demand: "none" | "waiting" | "ready" = "none";
  /** The highest priority that was asked for. */
  priority = 0;
  /** Its place among those that are handed out, and the priority that it was handed out with. */
  processingIndex = -1;
  processingPriority = 0;

  /** Its place among those that are ready: a level, and neighbours in it. */
  level: PriorityLevel<T> | undefined = undefined;
  previous: Entry<T> | undefined = undefined;
  next: Entry<T> | undefined = undefined;
  /** Its place among those of its level that share workers with it. */
  lane: Lane<T> | undefined = undefined;
  lanePrevious: Entry<T> | undefined = undefined;
  laneNext: Entry<T> | undefined = undefined;
  /** By whose share it is handed out. */
  groups: readonly string[] = [];
  /** Grows with every entry that is put into a level or into the heap. */
  sequence = 0;

  /** Its place among those that wait. */
  readyAt = 0;
  heapIndex = -1;

  /** Times for the metrics; not kept where there are none. */
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
