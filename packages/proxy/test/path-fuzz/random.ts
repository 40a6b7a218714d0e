/** Choices that are the same for the same seed. */
export interface Random {
  /** From 0 on, below `end`. */
  below(end: number): number;
  /** True in one of `n` cases. */
  oneIn(n: number): boolean;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

/** Mulberry32: small, and good enough to choose paths. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    oneIn: (n) => below(n) === 0,
    pick: (items) => items[below(items.length)] ?? items[0],
  };
}
