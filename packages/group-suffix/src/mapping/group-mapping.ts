import { InvalidMappingError } from "../errors.ts";
import { mappingProblems } from "./mapping-problems.ts";

export interface SuffixPair {
  /** What the app calls it, such as pinniped.dev. */
  readonly virtual: string;
  /** What the cluster calls it, such as team1.example.com. */
  readonly real: string;
  /** Whether groups match that end with a dot and this (where absent), that are this, or both. */
  readonly match?: "suffix" | "group" | "both";
}

/** Tells what API groups are called on the other side. */
export interface GroupMapping {
  /** Without those that map a name to itself. */
  readonly pairs: readonly SuffixPair[];
  /** Virtual becomes real and real becomes virtual: its own inverse. The same string elsewhere. */
  swap(group: string): string;
  /** For request paths: the real name of a virtual group; undefined where it is not mapped. */
  toReal(group: string): string | undefined;
  /** Whether the group is a real one of this mapping: a request path that names it is refused. */
  isReal(group: string): boolean;
}

/** One half of a pair, with what it becomes. */
interface Side {
  readonly name: string;
  readonly dotted: string;
  readonly other: string;
  readonly match: "suffix" | "group" | "both";
}

/**
 * A pair whose two names are one and the same maps nothing: the default suffix is no mapping.
 * Throws InvalidMappingError with all problems at once: names that are no suffixes, that belong to
 * Kubernetes, that are mapped twice, or that overlap.
 */
export function createGroupMapping(pairs: readonly SuffixPair[]): GroupMapping {
  const mapped = pairs.filter(({ virtual, real }) => virtual !== real);
  const problems = mappingProblems(pairs);
  if (problems.length > 0) throw new InvalidMappingError(problems);
  const virtual = mapped.map((pair) => sideOf(pair.virtual, pair));
  const real = mapped.map((pair) => sideOf(pair.real, pair));
  const all = [...virtual, ...real];
  return {
    pairs: mapped,
    swap: (group) => otherName(group, all) ?? group,
    toReal: (group) => otherName(group, virtual),
    isReal: (group) => otherName(group, real) !== undefined,
  };
}

function sideOf(name: string, { virtual, real, match = "suffix" }: SuffixPair): Side {
  return { name, dotted: `.${name}`, other: name === virtual ? real : virtual, match };
}

/** At most one side matches, because sides that overlap were refused. */
function otherName(group: string, sides: readonly Side[]): string | undefined {
  for (const { name, dotted, other, match } of sides) {
    if (match !== "suffix" && group === name) return other;
    if (match !== "group" && group.endsWith(dotted)) {
      return group.slice(0, group.length - name.length) + other;
    }
  }
  return undefined;
}
