import { parseDuration } from "@rookery/kube";

const NANOS: readonly (readonly [bigint, readonly string[]])[] = [
  [1n, ["ns", "nano"]],
  [1_000n, ["us", "µs", "micro"]],
  [1_000_000n, ["ms", "milli"]],
  [1_000_000_000n, ["s", "sec"]],
  [60_000_000_000n, ["m", "min"]],
  [3_600_000_000_000n, ["h", "hr", "hour"]],
  [86_400_000_000_000n, ["d", "day"]],
  [604_800_000_000_000n, ["w", "wk", "week"]],
];

/** The format "duration" as Go ("1h30m") or Scala ("3 days") writes it, in nanoseconds. */
export function parseLooseDuration(text: string): bigint | undefined {
  try {
    return parseDuration(text);
  } catch {
    return parseWords(text);
  }
}

function parseWords(text: string): bigint | undefined {
  let total: bigint | undefined;
  for (const [, digits = "0", word = ""] of text.matchAll(/(?<!\d)(\d+)\s*([A-Za-zµ]+)/g)) {
    for (const unit of unitsNamed(word.toLowerCase())) {
      total = BigInt.asIntN(64, (total ?? 0n) + BigInt(digits) * unit);
    }
  }
  return total;
}

/** The last name of a unit may have a suffix: "hours". */
function unitsNamed(word: string): readonly bigint[] {
  return NANOS.filter(
    ([, names]) => names.includes(word) || word.startsWith(names.at(-1) ?? word),
  ).map(([nanos]) => nanos);
}
