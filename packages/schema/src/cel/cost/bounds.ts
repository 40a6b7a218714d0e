/** Sizes and costs saturate at the largest uint64. */
export const UNBOUNDED = 2 ** 64;

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

export const NOTHING: Bounds = { min: 0, max: 0 };
export const UNKNOWN: Bounds = { min: 0, max: UNBOUNDED };

export function fixed(value: number): Bounds {
  return { min: value, max: value };
}

function saturate(value: number): number {
  return Math.min(value, UNBOUNDED);
}

export function plus(...all: readonly Bounds[]): Bounds {
  return all.reduce(
    (sum, each) => ({ min: saturate(sum.min + each.min), max: saturate(sum.max + each.max) }),
    NOTHING,
  );
}

export function times(a: Bounds, b: Bounds): Bounds {
  return { min: product(a.min, b.min), max: product(a.max, b.max) };
}

function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : saturate(a * b);
}

/** Multiplied by a cost per unit, rounded up. */
export function scaled({ min, max }: Bounds, factor: number): Bounds {
  const scale = (value: number): number => saturate(Math.ceil(value * factor));
  return { min: scale(min), max: scale(max) };
}

/** The union of both ranges. */
export function either(a: Bounds, b: Bounds): Bounds {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}
