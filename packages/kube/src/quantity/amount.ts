/**
 * A decimal number: `unscaled × 10^exponent`. `exact64` is true where Kubernetes holds it as an
 * int64 with a scale, on which "is an integer" depends.
 */
export interface Amount {
  readonly unscaled: bigint;
  readonly exponent: number;
  readonly exact64: boolean;
}

const minInt64 = -(2n ** 63n);
export const maxInt64 = 2n ** 63n - 1n;

/** Rejects larger powers, which would exhaust memory. */
const maxPower = 10_000;

export function fitsInt64(value: bigint): boolean {
  return value >= minInt64 && value <= maxInt64;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function countDigits(value: bigint): number {
  return absolute(value).toString().length;
}

export function sign(value: bigint): -1 | 0 | 1 {
  if (value === 0n) return 0;
  return value < 0n ? -1 : 1;
}

/** The unscaled value at a lower or equal exponent; undefined where it would be absurdly long. */
function scaleUp(amount: Amount, exponent: number): bigint | undefined {
  const power = amount.exponent - exponent;
  if (amount.unscaled === 0n) return 0n;
  return power > maxPower ? undefined : amount.unscaled * 10n ** BigInt(power);
}

/** Rounds away from zero. */
function scaleDown(amount: Amount, exponent: number): bigint {
  const { unscaled } = amount;
  const power = exponent - amount.exponent;
  if (unscaled === 0n) return 0n;
  if (power > countDigits(unscaled)) return BigInt(sign(unscaled));
  const divisor = 10n ** BigInt(power);
  const quotient = unscaled / divisor;
  return unscaled % divisor === 0n ? quotient : quotient + BigInt(sign(unscaled));
}

/** The unscaled value at any exponent, rounded away from zero; undefined where absurdly long. */
export function rescale(amount: Amount, exponent: number): bigint | undefined {
  return exponent <= amount.exponent ? scaleUp(amount, exponent) : scaleDown(amount, exponent);
}

/** Compares magnitudes first, so that far exponents are never expanded. */
export function compareAmounts(a: Amount, b: Amount): -1 | 0 | 1 {
  const signs = sign(a.unscaled) - sign(b.unscaled);
  if (signs !== 0 || a.unscaled === 0n) return Math.sign(signs) as -1 | 0 | 1;
  const magnitude = countDigits(a.unscaled) + a.exponent - (countDigits(b.unscaled) + b.exponent);
  if (magnitude !== 0) return (Math.sign(magnitude) * sign(a.unscaled)) as -1 | 1;
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = (amount: Amount) => amount.unscaled * 10n ** BigInt(amount.exponent - exponent);
  return sign(scaled(a) - scaled(b));
}

/** The exact sum, as an int64 where Kubernetes has one; undefined where absurdly long. */
export function addAmounts(a: Amount, b: Amount): Amount | undefined {
  if (a.exact64 && b.exact64) {
    if (b.unscaled === 0n) return a;
    if (a.unscaled === 0n) return b;
  }
  const exponent = Math.min(a.exponent, b.exponent);
  const left = scaleUp(a, exponent);
  const right = scaleUp(b, exponent);
  if (left === undefined || right === undefined) return undefined;
  const unscaled = left + right;
  const exact64 = a.exact64 && b.exact64 && [left, right, unscaled].every(fitsInt64);
  return { unscaled, exponent, exact64 };
}

/** Normalizes to an exponent that is a multiple of three. */
export function engineering(amount: Amount): { digits: string; exponent: number } {
  const text = amount.unscaled.toString();
  let end = text.length;
  while (end > 1 && text[end - 1] === "0") end--;
  const exponent = amount.exponent + text.length - end;
  const excess = ((exponent % 3) + 3) % 3;
  return { digits: text.slice(0, end) + "0".repeat(excess), exponent: exponent - excess };
}

/** The value as a float, rounded twice as in Kubernetes. */
export function toApproximateFloat(amount: Amount): number {
  const base = Number(amount.unscaled);
  return amount.exponent === 0 ? base : base * powerOfTen(amount.exponent);
}

/** 10^n as Go's math.Pow10 computes it, which decides the last bit. */
function powerOfTen(n: number): number {
  if (n > 308) return Number.POSITIVE_INFINITY;
  if (n < -323) return 0;
  const rest = Math.abs(n) % 32;
  const high = Number(`1e${Math.sign(n) * (Math.abs(n) - rest)}`);
  return n < 0 ? high / Number(`1e${rest}`) : high * Number(`1e${rest}`);
}
