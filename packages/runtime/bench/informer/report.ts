import { readFileSync } from "node:fs";

/** What a program says when it has all objects. Bytes and milliseconds. */
export interface SyncReport {
  readonly objects: number;
  readonly milliseconds: number;
  /** Resident memory, two seconds later. */
  readonly resident: number;
  readonly peak: number;
}

/** What it says when all updates have come, or nobody waits for more. */
export interface UpdatesReport {
  /** Milliseconds from the update's annotation until the handler was called. */
  readonly latencies: readonly number[];
}

/** The resident memory of this process, now and at most, as the kernel counts it. */
export function residentMemory(): Pick<SyncReport, "resident" | "peak"> {
  const status = readFileSync("/proc/self/status", "utf8");
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
  return { resident: bytes("VmRSS"), peak: bytes("VmHWM") };
}

/** The time in milliseconds since 1970, with fractions. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
