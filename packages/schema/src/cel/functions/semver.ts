import { messageOf } from "@rookery/errors";
import { quote } from "@rookery/kube";
import { objectType } from "../cel-type.ts";
import { MAX_UINT64, order } from "../values/numbers.ts";
import { CelError, NO_SUCH_OVERLOAD, Opaque, type Value } from "../values/value.ts";
import { declareFunctions, type FunctionDeclaration } from "./declare.ts";

const SEMVER = objectType("kubernetes.Semver");

class CelSemver extends Opaque {
  readonly type = SEMVER;
  readonly version: SemanticVersion;

  constructor(version: SemanticVersion) {
    super();
    this.version = version;
  }

  equals(other: Value): boolean | CelError {
    if (!(other instanceof CelSemver)) return NO_SUCH_OVERLOAD;
    return compareSemver(this.version, other.version) === 0;
  }
}

function parse([text, tolerant]: [string, boolean?]): CelSemver | CelError {
  try {
    return new CelSemver(tolerant === true ? parseTolerantSemver(text) : parseSemver(text));
  } catch (error) {
    return new CelError(messageOf(error));
  }
}

const isSemver = (args: [string, boolean?]): boolean => parse(args) instanceof CelSemver;

function compare([a, b]: [CelSemver, CelSemver]): -1 | 0 | 1 {
  return compareSemver(a.version, b.version);
}

/** Kubernetes' library of semantic versions. */
export const SEMVER_FUNCTIONS: readonly FunctionDeclaration[] = declareFunctions(
  {
    semver: {
      "string_to_semver: (string) -> Semver": parse,
      "string_bool_to_semver: (string, bool) -> Semver": parse,
    },
    isSemver: {
      "is_semver_string: (string) -> bool": isSemver,
      "is_semver_string_bool: (string, bool) -> bool": isSemver,
    },
    isGreaterThan: {
      "semver_is_greater_than: Semver.(Semver) -> bool": (args: [CelSemver, CelSemver]) =>
        compare(args) > 0,
    },
    isLessThan: {
      "semver_is_less_than: Semver.(Semver) -> bool": (args: [CelSemver, CelSemver]) =>
        compare(args) < 0,
    },
    compareTo: {
      "semver_compare_to: Semver.(Semver) -> int": (args: [CelSemver, CelSemver]) =>
        BigInt(compare(args)),
    },
    major: { "semver_major: Semver.() -> int": ([{ version }]: [CelSemver]) => version.major },
    minor: { "semver_minor: Semver.() -> int": ([{ version }]: [CelSemver]) => version.minor },
    patch: { "semver_patch: Semver.() -> int": ([{ version }]: [CelSemver]) => version.patch },
  },
  { Semver: SEMVER },
);

/** A version of semver.org 2.0.0, without build metadata. */
interface SemanticVersion {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: readonly (bigint | string)[];
}

/** Reads "1.2.3-rc.1+build" strictly. Throws an Error in the words of blang/semver. */
function parseSemver(text: string): SemanticVersion {
  if (text === "") throw new Error("Version string empty");
  const [major, minor, rest] = splitThree(text);
  if (major === undefined || minor === undefined || rest === undefined) {
    throw new Error("No Major.Minor.Patch elements found");
  }
  const majorNumber = parseNumber(major, "major");
  const minorNumber = parseNumber(minor, "minor");
  const plus = rest.indexOf("+");
  const withoutBuild = plus === -1 ? rest : rest.slice(0, plus);
  const dash = withoutBuild.indexOf("-");
  const patch = parseNumber(dash === -1 ? withoutBuild : withoutBuild.slice(0, dash), "patch");
  const prerelease =
    dash === -1
      ? []
      : withoutBuild
          .slice(dash + 1)
          .split(".")
          .map(parsePrerelease);
  if (plus !== -1)
    rest
      .slice(plus + 1)
      .split(".")
      .forEach(checkBuild);
  return { major: majorNumber, minor: minorNumber, patch, prerelease };
}

function splitThree(text: string): readonly (string | undefined)[] {
  const [major, minor, ...rest] = text.split(".");
  return [major, minor, rest.length === 0 ? undefined : rest.join(".")];
}

function parseNumber(text: string, part: string): bigint {
  if (!/^[0-9]*$/.test(text)) {
    throw new Error(`Invalid character(s) found in ${part} number ${quote(text)}`);
  }
  if (text.length > 1 && text.startsWith("0")) {
    const title = part[0]?.toUpperCase() + part.slice(1);
    throw new Error(`${title} number must not contain leading zeroes ${quote(text)}`);
  }
  return parseUint(text);
}

function parseUint(text: string): bigint {
  const problem = text === "" ? "invalid syntax" : "value out of range";
  if (text === "" || BigInt(text) > MAX_UINT64) {
    throw new Error(`strconv.ParseUint: parsing ${quote(text)}: ${problem}`);
  }
  return BigInt(text);
}

function parsePrerelease(text: string): bigint | string {
  if (text === "") throw new Error("Prerelease is empty");
  if (/^[0-9]+$/.test(text)) {
    if (text.length > 1 && text.startsWith("0")) {
      throw new Error(`Numeric PreRelease version must not contain leading zeroes ${quote(text)}`);
    }
    return parseUint(text);
  }
  if (/^[0-9A-Za-z-]+$/.test(text)) return text;
  throw new Error(`Invalid character(s) found in prerelease ${quote(text)}`);
}

function checkBuild(text: string): void {
  if (text === "") throw new Error("Build meta data is empty");
  if (!/^[0-9A-Za-z-]+$/.test(text)) {
    throw new Error(`Invalid character(s) found in build meta data ${quote(text)}`);
  }
}

/** Accepts a leading "v", leading zeroes, and missing minor or patch. */
function parseTolerantSemver(text: string): SemanticVersion {
  const [major = "", minor, rest] = splitThree(text.replace(/^v/, ""));
  const parts = [major, minor, rest].filter((part) => part !== undefined).map(withoutLeadingZeroes);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? "")) {
    throw new Error("short version cannot contain PreRelease/Build meta data");
  }
  while (parts.length < 3) parts.push("0");
  return parseSemver(parts.join("."));
}

function withoutLeadingZeroes(part: string): string {
  if (part.length <= 1) return part;
  const stripped = part.replace(/^0+/, "");
  return /^[0-9]/.test(stripped) ? stripped : `0${stripped}`;
}

function compareSemver(a: SemanticVersion, b: SemanticVersion): -1 | 0 | 1 {
  return (
    order(a.major, b.major) ||
    order(a.minor, b.minor) ||
    order(a.patch, b.patch) ||
    comparePrerelease(a.prerelease, b.prerelease)
  );
}

function comparePrerelease(
  a: readonly (bigint | string)[],
  b: readonly (bigint | string)[],
): -1 | 0 | 1 {
  if (a.length === 0 || b.length === 0) return order(+(a.length === 0), +(b.length === 0));
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = compareIdentifiers(a[i] ?? 0n, b[i] ?? 0n);
    if (difference !== 0) return difference;
  }
  return order(a.length, b.length);
}

/** Numbers come before words. */
function compareIdentifiers(a: bigint | string, b: bigint | string): -1 | 0 | 1 {
  if (typeof a !== typeof b) return typeof a === "bigint" ? -1 : 1;
  return order(a, b);
}
