import { validateApiGroupSuffix } from "@rookery/kube";
import type { SuffixPair } from "./group-mapping.ts";

/** One name of a pair, and how it matches. */
interface Name {
  readonly text: string;
  readonly suffix: boolean;
  readonly group: boolean;
}

/** The groups that a Kubernetes serves itself, or reads with a meaning of its own. */
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

/** Everything that is wrong with a mapping, each said once with the way out. */
export function mappingProblems(pairs: readonly SuffixPair[]): readonly string[] {
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

/** Whether some group that `b` stands for is matched by `a` too. */
function overlaps(a: Name, b: Name): boolean {
  if (a.text === b.text) return (a.suffix && b.suffix) || (a.group && b.group);
  return a.suffix && b.text.endsWith(`.${a.text}`);
}

function matches(name: Name, group: string): boolean {
  return (name.group && group === name.text) || (name.suffix && group.endsWith(`.${name.text}`));
}
