import type { ProviderView } from "../state/provider-view.ts";

/** "InfrastructureProvider capa-system/aws". */
export function describeProvider({ provider, identity }: ProviderView): string {
  return `${identity.kind} ${provider.metadata.namespace}/${identity.name}`;
}

export function isCore({ identity }: ProviderView): boolean {
  return identity.kind === "CoreProvider";
}

/** Whether somebody has asked it to go. */
export function isLeaving({ provider }: ProviderView): boolean {
  return provider.metadata.deletionTimestamp !== undefined;
}

/**
 * The core that a provider builds on: the one under the same API groups, else the one under the
 * groups that all know; of several, the eldest of those that are installed and stay. A core that is
 * not installed counts only where no other does, and never for a provider that is installed itself:
 * whoever creates an object that cannot be installed takes no core away. A core builds on itself.
 */
export function coreOf(
  self: ProviderView,
  others: readonly ProviderView[],
): ProviderView | undefined {
  if (isCore(self)) return self;
  const cores = others
    .filter(isCore)
    .toSorted((a, b) => standingOf(a) - standingOf(b) || byAge(a, b));
  const find = (candidates: readonly ProviderView[]) =>
    candidates.find((core) => suffixOf(core) === suffixOf(self)) ??
    candidates.find((core) => suffixOf(core) === undefined);
  return (self.installed && find(cores.filter(isInstalled))) ?? find(cores);
}

/** Whether all of it was in the cluster and worked. */
export function isInstalled({ installed }: ProviderView): boolean {
  return installed !== undefined;
}

/** Of several that could do the same, the lowest is the one that does. */
function standingOf(view: ProviderView): number {
  return Number(!isInstalled(view)) * 2 + Number(isLeaving(view));
}

/** Those of the views that build on a core, without cores. */
export function builtOn(
  core: ProviderView,
  views: readonly ProviderView[],
): readonly ProviderView[] {
  const all = [core, ...views];
  return views.filter((view) => !isCore(view) && coreOf(view, all) === core);
}

export function suffixOf({ provider }: ProviderView): string | undefined {
  return provider.spec?.apiGroupSuffix;
}

/** The elder comes first; of two that were made in one second, the one that the alphabet has first. */
export function byAge(a: ProviderView, b: ProviderView): number {
  const [left, right] = [ageOf(a), ageOf(b)];
  return left === right ? 0 : left < right ? -1 : 1;
}

function ageOf(view: ProviderView): string {
  return `${view.provider.metadata.creationTimestamp ?? ""} ${describeProvider(view)}`;
}
