import { validateApiGroupSuffix } from "@rookery/kube";
import { InvalidMappingError } from "../errors.ts";

export interface SuffixPair {
  /** The app's name, such as pinniped.dev. */
  readonly virtual: string;
  /** The cluster's name, such as team1.example.com. */
  readonly real: string;
  /** Matches groups that end with a dot and the name (default), the group itself, or both. */
  readonly match?: "suffix" | "group" | "both";
}

/** Maps API groups between their virtual and real names. */
export interface GroupMapping {
  /** Without pairs of equal names. */
  readonly pairs: readonly SuffixPair[];
  /** Maps virtual to real and real to virtual; other groups are unchanged. */
  swap(group: string): string;
  /** The real name of a virtual group in a request path; undefined where it is not mapped. */
  toReal(group: string): string | undefined;
  /** Whether the group is a real one, which request paths must not name. */
  isReal(group: string): boolean;
}

interface Side {
  readonly name: string;
  readonly dotted: string;
  readonly other: string;
  readonly match: "suffix" | "group" | "both";
}

/**
 * A pair of equal names, such as the default suffix, maps nothing. Throws InvalidMappingError with
 * all problems: names that are not suffixes, belong to Kubernetes, are mapped twice, or overlap.
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

/** At most one side matches, because overlapping sides are rejected. */
function otherName(group: string, sides: readonly Side[]): string | undefined {
  for (const { name, dotted, other, match } of sides) {
    if (match !== "suffix" && group === name) return other;
    if (match !== "group" && group.endsWith(dotted)) {
      return group.slice(0, group.length - name.length) + other;
    }
  }
  return undefined;
}

interface Name {
  readonly text: string;
  readonly suffix: boolean;
  readonly group: boolean;
}

/** The groups of Kubernetes itself. */
const builtInGroups = [
  "admission.k8s.io",
  "admissionregistration.k8s.io",
  "apidiscovery.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "certificates.k8s.io",
  "coordination.k8s.io",
  "discovery.k8s.io",
  "events.k8s.io",
  "flowcontrol.apiserver.k8s.io",
  "internal.apiserver.k8s.io",
  "meta.k8s.io",
  "networking.k8s.io",
  "node.k8s.io",
  "rbac.authorization.k8s.io",
  "resource.k8s.io",
  "scheduling.k8s.io",
  "storage.k8s.io",
  "storagemigration.k8s.io",
];

/** All problems of a mapping, each with a solution. */
function mappingProblems(pairs: readonly SuffixPair[]): readonly string[] {
  const names = pairs
    .filter(({ virtual, real }) => virtual !== real)
    .flatMap((pair) => [nameOf(pair.virtual, pair), nameOf(pair.real, pair)]);
  const texts = new Set(pairs.flatMap(({ virtual, real }) => [virtual, real]));
  return [
    ...[...texts].flatMap(invalidName),
    ...new Set(names.flatMap(builtIn)),
    ...new Set(names.flatMap((name, i) => names.slice(i + 1).flatMap((b) => overlap(name, b)))),
  ];
}

function nameOf(text: string, { match = "suffix" }: SuffixPair): Name {
  return { text, suffix: match !== "group", group: match !== "suffix" };
}

function invalidName(text: string): string[] {
  return validateApiGroupSuffix(text).map((problem) => `${JSON.stringify(text)} ${problem}`);
}

function builtIn(name: Name): string[] {
  const hit = builtInGroups.find((group) => matches(name, group));
  if (hit === undefined) return [];
  return [
    `${JSON.stringify(name.text)} would rename ${hit}, which belongs to Kubernetes: map the app's own groups`,
  ];
}

function overlap(a: Name, b: Name): string[] {
  if (!overlaps(a, b) && !overlaps(b, a)) return [];
  if (a.text === b.text) {
    return [`${JSON.stringify(a.text)} is mapped more than once: each name takes part in one pair`];
  }
  return [
    `${JSON.stringify(a.text)} and ${JSON.stringify(b.text)} overlap: choose names of which none ends with another`,
  ];
}

/** Whether `a` matches a group that `b` stands for. */
function overlaps(a: Name, b: Name): boolean {
  if (a.text === b.text) return (a.suffix && b.suffix) || (a.group && b.group);
  return a.suffix && b.text.endsWith(`.${a.text}`);
}

function matches(name: Name, group: string): boolean {
  return (name.group && group === name.text) || (name.suffix && group.endsWith(`.${name.text}`));
}
