import type { GroupMapping } from "../mapping/group-mapping.ts";

/** A group as discovery has it, under its name in the cluster. */
export interface ListedGroup {
  readonly name: string;
  /** Its kinds, each with its plural name. */
  readonly kinds: ReadonlySet<string>;
}

export interface HideSettings {
  /** Groups, or `*.suffix` for all that end so, that are another instance's. */
  readonly hide?: readonly string[];
  /** The same, of groups that are none's. */
  readonly show?: readonly string[];
}

/**
 * The groups that other instances of the app have in the cluster: the app's own names, which are the
 * default instance's; what the settings name; and each group whose name begins as one of the app's and that
 * has a kind of it. Kubernetes' own groups are none of them, whatever kinds they have.
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
  // Where the name tells nothing, all kinds have to be the same: some are in many groups.
  return shared === Math.min(own.kinds.size, other.kinds.size);
}

/** How the names of a group begin in every instance, with the dot after it: "stable." */
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
