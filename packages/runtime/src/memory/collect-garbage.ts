import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Of a processor: who takes less rests. */
const restShare = 0.05;

/** Gives memory back that nobody uses. */
export async function collectGarbage(): Promise<void> {
  const collect = globalThis.gc ?? exposedCollector();
  await collect?.({ type: "major", flavor: "last-resort", execution: "async" });
}

/** Where Node was not told to let programs collect (--expose-gc), a context that is made later has it. */
function exposedCollector(): typeof globalThis.gc {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as typeof globalThis.gc;
}

/**
 * Lets go of what starting took: code that ran once, objects that were read to fill a cache. V8 would
 * keep it until it needs the room, which a program that is idle never does. A program that works keeps
 * it until it rests: compiled code goes with the garbage, and would have to be made anew.
 */
export async function collectStartGarbage(
  signal: AbortSignal,
  { momentsMs, collect, used }: StartGarbage = ofThisProgram,
): Promise<void> {
  for (const ms of momentsMs) {
    const restsMs = ms / 5;
    await delay(ms - restsMs, undefined, { signal, ref: false }).catch(() => {});
    await nextRest(restsMs, used, signal);
    if (signal.aborted) return;
    await collect();
  }
}

interface StartGarbage {
  /** How long after the start, and then after each collection. */
  readonly momentsMs: readonly number[];
  readonly collect: () => Promise<void>;
  /** The processor time since the start, in milliseconds. */
  readonly used: () => number;
}

const ofThisProgram: StartGarbage = {
  // After most of what starting takes, and once more for what takes longer, such as a first certificate.
  momentsMs: [10_000, 50_000],
  collect: collectGarbage,
  used: processorMs,
};

/** Resolves when a program has rested for so long. */
async function nextRest(ms: number, used: () => number, signal: AbortSignal): Promise<void> {
  let took = Number.POSITIVE_INFINITY;
  while (took > ms * restShare && !signal.aborted) {
    const before = used();
    await delay(ms, undefined, { signal, ref: false }).catch(() => {});
    took = used() - before;
  }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** How often is looked whether a program rests. */
const lookMs = 10_000;
/** Of processor time since the last look: less is rest. */
const restMs = lookMs * restShare;
/** Of processor time since the last collection: less has left nothing worth collecting. */
const workMs = 3_000;

/**
 * Lets go of what work took, whenever a program rests after it: objects that were read and written,
 * and connections, whose memory V8 does not see and so never misses.
 */
export async function collectGarbageAtRest(signal: AbortSignal): Promise<void> {
  const isTime = restAfterWork();
  while (!signal.aborted) {
    await delay(lookMs, undefined, { signal, ref: false }).catch(() => {});
    if (!signal.aborted && isTime(processorMs())) await collectGarbage();
  }
}

/** Tells by the processor time in milliseconds, at each look, whether it is time to collect. */
export function restAfterWork(): (used: number) => boolean {
  let before = 0;
  let collected = 0;
  return (used) => {
    const rests = used - before < restMs;
    before = used;
    if (!rests || used - collected < workMs) return false;
    collected = used;
    return true;
  };
}
