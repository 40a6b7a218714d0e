import type { GroupMapping } from "../mapping/group-mapping.ts";

/** A group from discovery, by its name in the cluster. */
export interface ListedGroup {
  readonly name: string;
  /** Kinds with their plural names. */
  readonly kinds: ReadonlySet<string>;
}

export interface HideSettings {
  /** Groups, or `*.suffix` patterns, of other instances. */
  readonly hide?: readonly string[];
  /** Groups, or patterns, that belong to no instance. */
  readonly show?: readonly string[];
}

/**
 * The groups of other instances of the app: the app's own names, which the default instance has;
 * the configured ones; and groups that begin as one of the app's groups and share a kind with it.
 * Kubernetes' groups are never among them.
 */
export function otherInstances(
  groups: readonly ListedGroup[],
  mapping: GroupMapping,
  { hide = [], show = [] }: HideSettings,
): ReadonlySet<string> {
  const own = groups.filter(({ name }) => mapping.swap(name) !== name);
  const isOther = (group: ListedGroup): boolean => {
    const { name } = group;
    if (mapping.isReal(name) || isKubernetes(name)) return false;
    if (mapping.toReal(name) !== undefined || isNamed(name, hide)) return true;
    return !isNamed(name, show) && own.some((one) => isSameApp(one, group, mapping));
  };
  return new Set(groups.filter(isOther).map(({ name }) => name));
}

function isKubernetes(group: string): boolean {
  return !group.includes(".") || group.endsWith(".k8s.io");
}

function isNamed(group: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.startsWith("*.") ? group.endsWith(pattern.slice(1)) : group === pattern,
  );
}

function isSameApp(own: ListedGroup, other: ListedGroup, mapping: GroupMapping): boolean {
  const shared = [...other.kinds].filter((kind) => own.kinds.has(kind)).length;
  if (shared === 0) return false;
  const prefix = appPrefix(own.name, mapping);
  if (prefix !== "") return other.name.startsWith(prefix);
  // Without a prefix all kinds must match, because some kinds are in many groups.
  return shared === Math.min(own.kinds.size, other.kinds.size);
}

/** The common beginning of a group's names in all instances: "stable." */
function appPrefix(group: string, { pairs, swap }: GroupMapping): string {
  const suffix = pairs
    .filter(({ match }) => match !== "group")
    .flatMap(({ virtual, real }) => [virtual, real])
    .find((name) => group.endsWith(`.${name}`));
  if (suffix !== undefined) return group.slice(0, -suffix.length);
  const labels = group.split(".");
  const others = swap(group).split(".");
  const differs = labels.findIndex((label, i) => label !== others[i]);
  return labels
    .slice(0, differs)
    .map((label) => `${label}.`)
    .join("");
}
