import assert from "node:assert/strict";
import { test } from "node:test";

/** Work on an input that is made in any size. */
export interface GrowingWork<T = unknown> {
  readonly build: (size: number) => T;
  /** To refuse the input is work, too: what it throws is ignored unless it is a fault. */
  readonly run: (input: T) => unknown;
  /** The size of the smaller input; 2000 where not given. */
  readonly size?: number;
}

/** Typed by itself, so that a table may hold rows of several types. */
export function growing<T>(work: GrowingWork<T>): GrowingWork {
  return work as GrowingWork;
}

const defaultSize = 2000;
const growth = 4;
/** Four times the input takes four times as long where time is in proportion, sixteen where it is squared. */
const maxRatio = 8;
/** Below this the clock of the processor and the garbage collector are louder than the work. */
const quietMs = 5;
const maxRounds = 8;
/** How much larger all inputs are: what is squared with a small factor shows at larger sizes alone. */
const larger = Number(process.env.ROOKERY_GROWTH_SCALE || 1);

/**
 * A test for each row: four times the input takes no more than eight times the processor time of this
 * thread. The least of several rounds counts, so that a busy machine changes nothing; there are no
 * more rounds than are needed.
 */
export function testGrowth(rows: Readonly<Record<string, GrowingWork>>, scale = 1): void {
  for (const [name, work] of Object.entries(rows)) {
    test(`time grows no faster than the input: ${name}`, async () => {
      const size = (work.size ?? defaultSize) * scale * larger;
      const { small, large } = await measureGrowth(work, size);
      const shown = `${small.toFixed(1)} ms at ${size}, ${large.toFixed(1)} ms at ${size * growth}`;
      assert.ok(isProportional(small, large), shown);
    });
  }
}

/** Milliseconds of processor time on an input and on one of four times its size. */
export async function measureGrowth(
  work: GrowingWork,
  size: number,
): Promise<{ readonly small: number; readonly large: number }> {
  let small = Number.POSITIVE_INFINITY;
  let large = Number.POSITIVE_INFINITY;
  for (let round = 0; round < maxRounds; round++) {
    small = Math.min(small, await timeOf(work, size));
    large = Math.min(large, await timeOf(work, growth * size));
    if (isProportional(small, large)) break;
  }
  return { small, large };
}

export function isProportional(small: number, large: number): boolean {
  return large <= maxRatio * Math.max(small, quietMs);
}

async function timeOf({ build, run }: GrowingWork, size: number): Promise<number> {
  const input = build(size);
  const before = process.threadCpuUsage();
  try {
    await run(input);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw error;
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** A text of so many pieces. */
export function pieces(count: number, piece: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => piece(index)).join("");
}
