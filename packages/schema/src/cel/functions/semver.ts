import { messageOf } from "@rookery/errors";
import { BOOL, INT, objectType, STRING } from "../cel-type.ts";
import { CelError, NO_SUCH_OVERLOAD } from "../values/cel-error.ts";
import { Opaque } from "../values/opaque.ts";
import type { Value } from "../values/value.ts";
import { type FunctionDeclaration, type Implementation, member, overload } from "./declare.ts";
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

function parse([text, tolerant]: readonly Value[]): CelSemver | CelError {
  try {
    const read = tolerant === true ? parseTolerantSemver : parseSemver;
    return new CelSemver(read(text as string));
  } catch (error) {
    return new CelError(messageOf(error));
  }
}

const isSemver: Implementation = (args) => parse(args) instanceof CelSemver;

function order([a, b]: readonly Value[]): -1 | 0 | 1 {
  return compareSemver((a as CelSemver).version, (b as CelSemver).version);
}

function number(name: "major" | "minor" | "patch"): FunctionDeclaration {
  const call: Implementation = ([value]) => (value as CelSemver).version[name];
  return { name, overloads: [member([`semver_${name}`, [SEMVER], INT], call)] };
}

/** Kubernetes' library of semantic versions. */
export const SEMVER_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: "semver",
    overloads: [
      overload(["string_to_semver", [STRING], SEMVER], parse),
      overload(["string_bool_to_semver", [STRING, BOOL], SEMVER], parse),
    ],
  },
  {
    name: "isSemver",
    overloads: [
      overload(["is_semver_string", [STRING], BOOL], isSemver),
      overload(["is_semver_string_bool", [STRING, BOOL], BOOL], isSemver),
    ],
  },
  {
    name: "isGreaterThan",
    overloads: [
      member(["semver_is_greater_than", [SEMVER, SEMVER], BOOL], (args) => order(args) > 0),
    ],
  },
  {
    name: "isLessThan",
    overloads: [member(["semver_is_less_than", [SEMVER, SEMVER], BOOL], (args) => order(args) < 0)],
  },
  {
    name: "compareTo",
    overloads: [
      member(["semver_compare_to", [SEMVER, SEMVER], INT], (args) => BigInt(order(args))),
    ],
  },
  number("major"),
  number("minor"),
  number("patch"),
];
