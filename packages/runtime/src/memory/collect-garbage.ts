import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// ADR 44 has the figures for the functions of this file.

/** Below this CPU share the process counts as idle. */
const idleShare = 0.05;

/** Collects all garbage, and returns unused memory to the system. */
export async function collectGarbage(): Promise<void> {
  const collect = globalThis.gc ?? exposedCollector();
  await collect?.({ type: "major", flavor: "last-resort", execution: "async" });
}

/** If Node runs without --expose-gc, a context that is made after the flag is set has the function. */
function exposedCollector(): typeof globalThis.gc {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as typeof globalThis.gc;
}

interface StartGarbage {
  /** The delays before the collections, the first one from the start. */
  readonly momentsMs: readonly number[];
  readonly collect: () => Promise<void>;
  /** The CPU time since the start, in milliseconds. */
  readonly used: () => number;
}

const ofThisProcess: StartGarbage = {
  // The second collection is for slower parts of the start, such as the first certificate.
  momentsMs: [10_000, 50_000],
  collect: collectGarbage,
  used: cpuTimeMs,
};

/**
 * Releases the memory of the start: code that ran once, and objects that filled a cache. V8 keeps it until it needs the
 * room, which an idle program never does. A busy program keeps it until it is idle: the collection discards compiled
 * code, too, which would have to be compiled again.
 */
export async function collectStartGarbage(
  signal: AbortSignal,
  { momentsMs, collect, used }: StartGarbage = ofThisProcess,
): Promise<void> {
  for (const ms of momentsMs) {
    const idleMs = ms / 5;
    await unlessAborted(ms - idleMs, signal);
    await waitUntilIdle(idleMs, used, signal);
    if (signal.aborted) return;
    await collect();
  }
}

/** Resolves when a program was idle for some time. */
async function waitUntilIdle(ms: number, used: () => number, signal: AbortSignal): Promise<void> {
  let took = Number.POSITIVE_INFINITY;
  while (took > ms * idleShare && !signal.aborted) {
    const before = used();
    await unlessAborted(ms, signal);
    took = used() - before;
  }
}

const checkMs = 10_000;
/** Less CPU time since the last check counts as idle. */
const idleMs = checkMs * idleShare;
/** Less CPU time since the last collection leaves too little garbage. */
const workMs = 3_000;

/**
 * Collects garbage whenever the program is idle after work: objects that were read and written, and connections, whose
 * memory V8 does not count.
 */
export async function collectGarbageAtRest(signal: AbortSignal): Promise<void> {
  const isDue = idleAfterWork();
  while (!signal.aborted) {
    await unlessAborted(checkMs, signal);
    if (!signal.aborted && isDue(cpuTimeMs())) await collectGarbage();
  }
}

/** Returns a function that decides at each check, by the CPU time in milliseconds, whether a collection is due. */
export function idleAfterWork(): (used: number) => boolean {
  let before = 0;
  let collected = 0;
  return (used) => {
    const isIdle = used - before < idleMs;
    before = used;
    if (!isIdle || used - collected < workMs) return false;
    collected = used;
    return true;
  };
}

function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Waits, at most until the signal is aborted, without keeping the process alive. */
async function unlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => {});
}
