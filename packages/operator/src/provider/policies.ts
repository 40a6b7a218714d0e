import type { Provider, ProviderManifest } from "@rookery/api";
import {
  type Component,
  componentKeyOf,
  contentHash,
  formatComponentKey,
  installStages,
} from "@rookery/components";
import type { InstallState, OwnedEntry } from "../state/install-state.ts";
import { intentOf } from "../state/release.ts";

/** Whether the spec requests something else than the recorded release. */
export function needsNewRelease(
  provider: Provider,
  { release, failed }: InstallState,
  paused: boolean,
): boolean {
  if (release === undefined) return true;
  // An adopted release has no content that could be rendered for other namespaces.
  if (release.adopted && watchHash(provider) !== release.watch) return true;
  const intent = intentOf(provider);
  if (release.intent === intent || failed?.intent === intent) return false;
  return !paused || provider.spec?.version !== release.version;
}

export function watchHash({ spec }: Pick<ProviderManifest, "spec">): string | undefined {
  return spec?.watch === undefined ? undefined : contentHash(spec.watch);
}

/** CRDs, their objects and the namespace stay over changes, because users store their objects there. */
export function isKept({ stage }: Pick<OwnedEntry, "stage">): boolean {
  return stage === "namespace" || stage === "crds" || stage === "instances";
}

/** The objects that may exist while components replace others. */
export function ownedWith(
  owned: readonly OwnedEntry[],
  components: readonly Component[],
): readonly OwnedEntry[] {
  const next = entriesOf(components);
  const coming = new Set(next.map(formatComponentKey));
  return [...owned.filter((entry) => !coming.has(formatComponentKey(entry))), ...next];
}

/** The objects that may exist while a layout changes; applied objects keep their hashes. */
export function ownedAlso(
  owned: readonly OwnedEntry[],
  components: readonly Component[],
): readonly OwnedEntry[] {
  const known = new Set(owned.map(formatComponentKey));
  const added = entriesOf(components).filter((entry) => !known.has(formatComponentKey(entry)));
  return [...owned, ...added];
}

/** The objects that exist after a change: the components, and kept objects of earlier versions. */
export function ownedAfter(
  owned: readonly OwnedEntry[],
  components: readonly OwnedEntry[],
): readonly OwnedEntry[] {
  const present = new Set(components.map(formatComponentKey));
  const abandoned = owned.filter(
    (entry) => isKept(entry) && !present.has(formatComponentKey(entry)),
  );
  return [...abandoned, ...components];
}

export function isAmong(components: readonly Component[], entry: OwnedEntry): boolean {
  const key = formatComponentKey(entry);
  return components.some((component) => formatComponentKey(componentKeyOf(component)) === key);
}

export function entriesOf(components: readonly Component[]): readonly OwnedEntry[] {
  return installStages(components).flatMap(({ stage, components: members }) =>
    members.map((component) => ({ ...componentKeyOf(component), stage })),
  );
}
