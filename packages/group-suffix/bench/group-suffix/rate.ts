import type { Side } from "@rookery/testing";

/** Of the processor's time, in which a busy machine counts less than on the clock. */
const roundSeconds = 0.3;
/** The first round warms up: a proxy runs for days, and the engine compiles what it runs for long. */
const warmSeconds = 2;

/** Megabytes a second of one kind of work on a body, again and again. */
export function throughput(name: string, bytes: number, work: () => unknown): Side {
  return rate(name, work, bytes / 1e6);
}

/** How many times a second something is done; `each` where a call does it more than once. */
export function rate(name: string, work: () => unknown, each = 1): Side {
  let seconds = warmSeconds;
  return {
    name,
    async round() {
      const times = await perSecond(work, seconds);
      seconds = roundSeconds;
      return times * each;
    },
  };
}

async function perSecond(work: () => unknown, seconds: number): Promise<number> {
  const began = processorSeconds();
  let times = 0;
  let elapsed = 0;
  do {
    await work();
    times++;
    elapsed = processorSeconds() - began;
  } while (elapsed < seconds);
  return times / elapsed;
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
