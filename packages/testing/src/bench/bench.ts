/** One of the things that are compared: runs one round and returns what it measured. */
export interface Side {
  readonly name: string;
  round(): number | Promise<number>;
}

/** One kind of work, done by us and by each peer in turn. */
export interface Work {
  readonly work: string;
  readonly unit: string;
  readonly better: "more" | "less";
  readonly ours: Side;
  readonly peers: readonly [Side, ...Side[]];
  /** How many times better than the first peer we promise to be; 1 is as good. */
  readonly goal?: number;
}

/** The first work is the figure that matters most. */
export interface Bench {
  readonly rounds: number;
  readonly works: readonly [Work, ...Work[]];
}

export interface Row {
  readonly work: string;
  readonly unit: string;
  readonly ours: number;
  readonly peer: number;
  readonly peerName: string;
  /** How many times better than the peer ours is, whichever way better lies. */
  readonly ratio: number;
  readonly goal: number | null;
  readonly holds: boolean;
}

/**
 * Runs every side once to warm it up, then in alternation, so that a busy moment of the machine
 * falls on all sides alike, and takes the medians.
 */
export async function measure(work: Work, rounds: number): Promise<Row[]> {
  const sides = [work.ours, ...work.peers];
  const samples = sides.map((): number[] => []);
  for (const side of sides) await side.round();
  for (let round = 0; round < rounds; round++) {
    for (const [index, side] of sides.entries()) samples[index]?.push(await side.round());
  }
  const [ours = Number.NaN, ...peers] = samples.map(median);
  return work.peers.map((peer, index) => row(work, ours, { name: peer.name, value: peers[index] }));
}

function row(work: Work, ours: number, peer: { name: string; value: number | undefined }): Row {
  const value = peer.value ?? Number.NaN;
  const ratio = work.better === "more" ? ours / value : value / ours;
  const goal = peer.name === work.peers[0].name ? (work.goal ?? null) : null;
  const holds = goal === null || ratio >= goal;
  return {
    work: work.work,
    unit: work.unit,
    ours,
    peer: value,
    peerName: peer.name,
    ratio,
    goal,
    holds,
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
