import type { Side } from "@rookery/testing";

const roundMilliseconds = 300;

/** Megabytes a second of one kind of work on a body, again and again. */
export function throughput(name: string, bytes: number, work: () => unknown): Side {
  return { name, round: () => (perSecond(work) * bytes) / 1e6 };
}

/** How many times a second something is done. */
export function rate(name: string, work: () => unknown, each = 1): Side {
  return { name, round: () => perSecond(work) * each };
}

function perSecond(work: () => unknown): number {
  const began = performance.now();
  let times = 0;
  let elapsed = 0;
  do {
    work();
    times++;
    elapsed = performance.now() - began;
  } while (elapsed < roundMilliseconds);
  return times / (elapsed / 1000);
}
