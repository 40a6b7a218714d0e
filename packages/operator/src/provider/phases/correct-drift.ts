import { componentKeyOf, formatComponentKey } from "@rookery/components";
import { inParallel } from "../../components/in-parallel.ts";
import { componentHash, ownFieldsHash } from "../../components/managed-fields.ts";
import { PhaseError } from "../../errors.ts";
import type { OwnedEntry } from "../../state/install-state.ts";
import type { ProviderScope } from "../scope.ts";
import { applyComponent } from "./apply-components.ts";
import { completeDriftCheck, loadComponents } from "./load-components.ts";

/** Applies drifted components again; returns the seconds until the next back-off ends. */
export async function correctDrift(scope: ProviderScope): Promise<number | undefined> {
  const { record, provider, driftChecks, corrections } = scope;
  const { release, owned } = record.state;
  if (release === undefined || release.adopted) return undefined;
  const isDue = driftChecks.isDue(provider, release.id);
  const suspects = owned.filter((entry) => isSuspect(scope, entry, isDue));
  const waits = suspects.map((entry) => corrections.secondsLeft(correctionKey(scope, entry)));
  const drifted = await confirmDrift(
    scope,
    suspects.filter((_, index) => waits[index] === 0),
  );
  if (drifted.length > 0 || isDue) await correct(scope, drifted);
  const rest = waits.filter((seconds) => seconds > 0);
  return rest.length > 0 ? Math.min(...rest) : undefined;
}

/** By the cache, which may be behind. Kinds without an informer are suspect whenever a check is due. */
function isSuspect(scope: ProviderScope, entry: OwnedEntry, isDue: boolean): boolean {
  if (entry.fields === undefined) return false;
  const observed = scope.observe(entry);
  if (observed === "unwatched") return isDue;
  return observed === undefined || ownFieldsHash(observed.metadata) !== entry.fields;
}

/** By the server. */
async function confirmDrift(
  { components }: ProviderScope,
  suspects: readonly OwnedEntry[],
): Promise<readonly OwnedEntry[]> {
  const found = await inParallel(suspects, (entry) => components.getMetadata(entry));
  return suspects.filter((entry, index) => {
    const metadata = found[index]?.metadata;
    return metadata === undefined || ownFieldsHash(metadata) !== entry.fields;
  });
}

/** Applies components that have drifted, or whose content differs from what was applied. */
async function correct(scope: ProviderScope, drifted: readonly OwnedEntry[]): Promise<void> {
  const { record, provider, driftChecks, store } = scope;
  const loaded = await loadComponents(scope);
  if (loaded === undefined) return;
  const { id } = loaded.release.reference;
  const known = new Map(record.state.owned.map((entry) => [formatComponentKey(entry), entry]));
  const driftedKeys = new Set(drifted.map(formatComponentKey));
  const failures: PhaseError[] = [];
  for (const component of loaded.components) {
    const key = formatComponentKey(componentKeyOf(component));
    const entry = known.get(key);
    if (entry === undefined) continue;
    const isDrifted = driftedKeys.has(key);
    if (!isDrifted && entry.content === componentHash(component)) continue;
    try {
      const applied = await applyComponent(scope, component);
      known.set(key, { ...applied, stage: entry.stage });
      if (isDrifted && applied.content !== undefined) reportDrift(scope, entry);
    } catch (error) {
      if (!(error instanceof PhaseError)) throw error;
      failures.push(error);
    }
  }
  const owned = [...known.values()];
  await record.save({ ...record.state, owned });
  if (failures[0]) throw failures[0];
  // The process before may have ended between the last change and its pruning.
  if (driftChecks.isDue(provider, id)) await store.prune(provider, [id]);
  completeDriftCheck(scope, owned, loaded);
}

function reportDrift(scope: ProviderScope, entry: OwnedEntry): void {
  const { recorder, provider, corrections } = scope;
  corrections.corrected(correctionKey(scope, entry));
  const note = `${formatComponentKey(entry)} was changed or deleted, and is as it was installed again`;
  recorder.event(provider, { type: "Normal", reason: "DriftCorrected", note });
}

function correctionKey({ provider }: ProviderScope, entry: OwnedEntry): string {
  return `${provider.metadata.uid} ${formatComponentKey(entry)}`;
}
