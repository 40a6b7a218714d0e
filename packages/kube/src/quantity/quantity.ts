import { QuantityError } from "../errors.ts";
import {
  type Amount,
  addAmounts,
  compareAmounts,
  engineering,
  fitsInt64,
  rescale,
  sign,
  toApproximateFloat,
} from "./amount.ts";
import { formatSuffix, type QuantityFormat } from "./suffix.ts";

/**
 * A fixed-point number of resources: "1500m", "1536Mi", "2e3". Immutable. Prints in the format in
 * which it was written, in canonical form.
 */
export class Quantity {
  readonly format: QuantityFormat;
  readonly #amount: Amount;
  #text: string | undefined;

  constructor(amount: Amount, format: QuantityFormat, text?: string) {
    this.#amount = amount;
    this.format = format;
    this.#text = text;
  }

  get sign(): -1 | 0 | 1 {
    return sign(this.#amount.unscaled);
  }

  compare(other: Quantity): -1 | 0 | 1 {
    return compareAmounts(this.#amount, other.#amount);
  }

  equals(other: Quantity): boolean {
    return this.compare(other) === 0;
  }

  /** The exact sum, in this quantity's format; in the other's where this is zero. */
  add(other: Quantity): Quantity {
    const sum = addAmounts(this.#amount, other.#amount);
    if (sum === undefined) throw tooLong(`add ${other} to ${this}`);
    return new Quantity(sum, this.sign === 0 ? other.format : this.format);
  }

  sub(other: Quantity): Quantity {
    return this.add(other.negate());
  }

  negate(): Quantity {
    const { unscaled, exponent, exact64 } = this.#amount;
    return new Quantity({ unscaled: -unscaled, exponent, exact64 }, this.format);
  }

  /**
   * Whether Kubernetes reads it as an int64 without loss. That depends on how the quantity was
   * made: "2" is an integer, the equal "2000m" is not.
   */
  get isInteger(): boolean {
    const { exact64, exponent } = this.#amount;
    if (!exact64 || exponent < 0) return false;
    const value = rescale(this.#amount, 0);
    return value !== undefined && fitsInt64(value);
  }

  /** Throws where `isInteger` is false. */
  asInteger(): bigint {
    const value = this.isInteger ? rescale(this.#amount, 0) : undefined;
    if (value === undefined) {
      throw new QuantityError(`read ${this} as an integer`, "cannot convert value to integer");
    }
    return value;
  }

  /** In units, rounded away from zero. Does not overflow. */
  value(): bigint {
    return this.scaledValue(0);
  }

  /** In thousandths, rounded away from zero. Does not overflow. */
  milliValue(): bigint {
    return this.scaledValue(-3);
  }

  /** In units of `10^exponent`, rounded away from zero. */
  scaledValue(exponent: number): bigint {
    const value = rescale(this.#amount, exponent);
    if (value === undefined) throw tooLong(`scale ${this} to 10^${exponent}`);
    return value;
  }

  /** An approximate float; infinite where out of range. */
  asApproximateFloat(): number {
    return toApproximateFloat(this.#amount);
  }

  toString(): string {
    this.#text ??= formatAmount(this.#amount, this.format);
    return this.#text;
  }

  toJSON(): string {
    return this.toString();
  }
}

function tooLong(operation: string): QuantityError {
  return new QuantityError(operation, "the exponents are too far apart");
}

export function quantityOf(value: bigint | number, format: QuantityFormat = "DecimalSI"): Quantity {
  return scaledQuantityOf(BigInt(value), 0, format);
}

export function milliQuantityOf(
  value: bigint | number,
  format: QuantityFormat = "DecimalSI",
): Quantity {
  return scaledQuantityOf(BigInt(value), -3, format);
}

function scaledQuantityOf(unscaled: bigint, exponent: number, format: QuantityFormat): Quantity {
  return new Quantity({ unscaled, exponent, exact64: fitsInt64(unscaled) }, format);
}

function formatAmount(amount: Amount, format: QuantityFormat): string {
  if (amount.unscaled === 0n) return "0";
  if (format === "BinarySI") {
    const whole = wholeAmount(amount);
    if (whole !== undefined) return formatBinary(whole);
  }
  const { digits, exponent } = engineering(amount);
  return digits + formatSuffix(exponent, format === "BinarySI" ? "DecimalSI" : format);
}

/** The value where powers of 1024 express it without loss. */
function wholeAmount(amount: Amount): bigint | undefined {
  const value = rescale(amount, 0);
  if (value === undefined || (value > -1024n && value < 1024n)) return undefined;
  const whole: Amount = { unscaled: value, exponent: 0, exact64: false };
  return compareAmounts(whole, amount) === 0 ? value : undefined;
}

function formatBinary(value: bigint): string {
  let rest = value;
  let times = 0;
  while (rest % 1024n === 0n) {
    rest /= 1024n;
    times++;
  }
  return rest.toString() + (times === 0 ? "" : formatSuffix(times * 10, "BinarySI"));
}
