import type { ProviderView } from "../state/provider-view.ts";

/** "InfrastructureProvider capa-system/aws". */
export function describeProvider({ provider, identity }: ProviderView): string {
  return `${identity.kind} ${provider.metadata.namespace}/${identity.name}`;
}

export function isCore({ identity }: ProviderView): boolean {
  return identity.kind === "CoreProvider";
}

export function isDeleting({ provider }: ProviderView): boolean {
  return provider.metadata.deletionTimestamp !== undefined;
}

/**
 * The core of a provider: one with the same API group suffix, or else one without; of several, the
 * oldest of those that are installed and not being deleted. Cores that are not installed come last, and
 * do not count for an installed provider: creating such an object must not replace its core. The core
 * of a core is itself.
 */
export function coreOf(
  self: ProviderView,
  others: readonly ProviderView[],
): ProviderView | undefined {
  if (isCore(self)) return self;
  const cores = others.filter(isCore).toSorted((a, b) => rankOf(a) - rankOf(b) || byAge(a, b));
  const find = (candidates: readonly ProviderView[]) =>
    candidates.find((core) => suffixOf(core) === suffixOf(self)) ??
    candidates.find((core) => suffixOf(core) === undefined);
  return (self.installed && find(cores.filter(isInstalled))) ?? find(cores);
}

/** Whether it was available once. */
export function isInstalled({ installed }: ProviderView): boolean {
  return installed !== undefined;
}

function rankOf(view: ProviderView): number {
  return Number(!isInstalled(view)) * 2 + Number(isDeleting(view));
}

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

/** The oldest comes first; of two that were created in one second, by name. */
export function byAge(a: ProviderView, b: ProviderView): number {
  const [left, right] = [ageOf(a), ageOf(b)];
  return left === right ? 0 : left < right ? -1 : 1;
}

function ageOf(view: ProviderView): string {
  return `${view.provider.metadata.creationTimestamp ?? ""} ${describeProvider(view)}`;
}
