import type { Side } from "@rookery/testing";

/** Of the processor's time, in which a busy machine counts less than on the clock. */
const roundSeconds = 0.3;

/** Megabytes a second of one kind of work on a body, again and again. */
export function throughput(name: string, bytes: number, work: () => unknown): Side {
  return { name, round: async () => ((await perSecond(work)) * bytes) / 1e6 };
}

/** How many times a second something is done; `each` where a call does it more than once. */
export function rate(name: string, work: () => unknown, each = 1): Side {
  return { name, round: async () => (await perSecond(work)) * each };
}

async function perSecond(work: () => unknown): Promise<number> {
  const began = processorSeconds();
  let times = 0;
  let elapsed = 0;
  do {
    await work();
    times++;
    elapsed = processorSeconds() - began;
  } while (elapsed < roundSeconds);
  return times / elapsed;
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
