import type { Provider } from "@rookery/api";
import {
  type Component,
  componentKeyOf,
  contentHash,
  formatComponentKey,
  installStages,
} from "@rookery/components";
import type { InstallState, OwnedEntry } from "../state/install-state.ts";
import { intentOf } from "../state/intent.ts";

/** Whether what the spec asks for has to be rendered anew. */
export function needsNewRelease(
  provider: Provider,
  { release, failed }: InstallState,
  paused: boolean,
): boolean {
  if (release === undefined) return true;
  // What was taken over cannot be laid out anew.
  if (release.adopted && watchHash(provider) !== release.watch) return true;
  const intent = intentOf(provider);
  if (release.intent === intent || failed?.intent === intent) return false;
  return !paused || provider.spec?.version !== release.version;
}

/** A hash of spec.watch; undefined where there is none. */
export function watchHash({
  spec,
}: {
  readonly spec?: { readonly watch?: unknown };
}): string | undefined {
  return spec?.watch === undefined ? undefined : contentHash(spec.watch);
}

/** CRDs, objects of their kinds and the namespace stay over changes: they hold what users made. */
export function isKept({ stage }: Pick<OwnedEntry, "stage">): boolean {
  return stage === "namespace" || stage === "crds" || stage === "instances";
}

/** What may be in the cluster while one set of components takes the place of another. */
export function ownedWith(
  owned: readonly OwnedEntry[],
  components: readonly Component[],
): readonly OwnedEntry[] {
  const next = entriesOf(components);
  const coming = new Set(next.map(formatComponentKey));
  return [...owned.filter((entry) => !coming.has(formatComponentKey(entry))), ...next];
}

/** What may be in the cluster while components are laid out anew; what is applied stays known. */
export function ownedAlso(
  owned: readonly OwnedEntry[],
  components: readonly Component[],
): readonly OwnedEntry[] {
  const known = new Set(owned.map(formatComponentKey));
  const added = entriesOf(components).filter((entry) => !known.has(formatComponentKey(entry)));
  return [...owned, ...added];
}

/** What is left when a change is done: the components, and what earlier versions had and is kept. */
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

export function entriesOf(components: readonly Component[]): readonly OwnedEntry[] {
  return installStages(components).flatMap(({ stage, components: members }) =>
    members.map((component) => ({ ...componentKeyOf(component), stage })),
  );
}
