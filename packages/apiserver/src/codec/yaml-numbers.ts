import { type Document, visit } from "yaml";
import { DecodeError } from "./decode-error.ts";
import { type NumberLiterals, parseWithLiterals } from "./number-literals.ts";

/** What the library's types do not know yet: JSON that is written as it is. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/**
 * What was read from YAML, as Kubernetes goes on with it: as JSON, with integers of up to 64 bits as
 * they were written and all other numbers as Go writes them. `literals` are of what was JSON at once.
 */
export function readYamlNumbers(
  value: unknown,
  literals?: NumberLiterals,
): { readonly value: unknown; readonly literals?: NumberLiterals } {
  const json = JSON.stringify(value, function (this: object, key: string, each: unknown) {
    if (typeof each === "bigint") return integer(each);
    if (typeof each !== "number") return each;
    const literal = literals?.get(this)?.get(key);
    if (literal !== undefined && /^-?\d+$/.test(literal)) return integer(BigInt(literal));
    return Number.isFinite(each) ? each : (literal ?? refuseEndless(each));
  });
  return parseWithLiterals(json) ?? { value: JSON.parse(json) as unknown };
}

/** Larger ones are no integers in Go, either. */
function integer(value: bigint): unknown {
  const isExact = [BigInt.asIntN(64, value), BigInt.asUintN(64, value)].includes(value);
  return isExact ? rawJSON(String(value)) : Number(value);
}

function refuseEndless(value: number): never {
  const shown = Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  throw new DecodeError(`json: unsupported value: ${shown}`);
}

/**
 * Takes what the library reads otherwise than Go does: numbers past all numbers, such as 1e400, are
 * text, as only what says that it is endless is; and 0o10 is 8.
 */
export function correctNumbers(document: Document.Parsed): void {
  visit(document, {
    Scalar(_, scalar) {
      const { value, type, source = "" } = scalar;
      if (type !== "PLAIN") return;
      if (typeof value === "number" && !Number.isFinite(value) && !isEndless.test(source)) {
        scalar.value = source;
      } else if (typeof value === "string" && isOctal.test(value)) {
        const digits = BigInt(value.replace(/[-+_]/g, ""));
        scalar.value = value.startsWith("-") ? -digits : digits;
      }
    },
  });
}

const isEndless = /^[-+]?\.(?:inf|nan)$/i;
const isOctal = /^[-+]?0o[0-7][0-7_]*$/;
