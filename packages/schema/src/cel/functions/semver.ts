import { messageOf } from "@rookery/errors";
import { objectType } from "../cel-type.ts";
import { CelError, NO_SUCH_OVERLOAD, Opaque, type Value } from "../values/value.ts";
import { declareFunctions, type FunctionDeclaration } from "./declare.ts";
import {
  compareSemver,
  parseSemver,
  parseTolerantSemver,
  type SemanticVersion,
} from "./semantic-version.ts";

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
