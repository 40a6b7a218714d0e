import { type Component, componentKeyOf, formatComponentKey } from "@rookery/components";
import { componentHash } from "../../components/component-hash.ts";
import { inParallel } from "../../components/in-parallel.ts";
import { ownFieldsHash } from "../../components/managed-fields.ts";
import { PhaseError } from "../../errors.ts";
import { renderedComponents } from "../../instances/rendered.ts";
import type { OwnedEntry } from "../../state/install-state.ts";
import { nextDriftCheckSeconds } from "../drift-checks.ts";
import type { ProviderScope } from "../scope.ts";
import { applyComponent } from "./apply-components.ts";
import { loadRelease } from "./load-release.ts";

/**
 * Applies again what is no longer as it was applied, from the recorded rendering: neither another
 * Secret nor another source can slip in. Certificates that were renewed come the same way. Resolves to
 * the seconds until it looks again at what somebody else changes all the time.
 */
export async function correctDrift(scope: ProviderScope): Promise<number | undefined> {
  const { record, provider, driftChecks } = scope;
  const { release, owned } = record.state;
  if (release === undefined || release.adopted) return undefined;
  const isDue = driftChecks.isDue(provider, release.id);
  const suspects = owned.filter((entry) => isSuspect(scope, entry, isDue));
  const waits = suspects.map((entry) => scope.corrections.secondsLeft(correctionKey(scope, entry)));
  const drifted = await confirm(
    scope,
    suspects.filter((_, index) => waits[index] === 0),
  );
  if (drifted.length > 0 || isDue) await correct(scope, drifted);
  const rest = waits.filter((seconds) => seconds > 0);
  return rest.length > 0 ? Math.min(...rest) : undefined;
}

/**
 * A cache may be behind what was just applied: it makes suspicious, and the server decides. Kinds that
 * nobody watches are looked at whenever all of a release is.
 */
function isSuspect(scope: ProviderScope, entry: OwnedEntry, isDue: boolean): boolean {
  if (entry.fields === undefined) return false;
  const observed = scope.observe(entry);
  if (observed === "unwatched") return isDue;
  return observed === undefined || ownFieldsHash(observed.metadata) !== entry.fields;
}

async function confirm(
  { components, signal }: ProviderScope,
  suspects: readonly OwnedEntry[],
): Promise<readonly OwnedEntry[]> {
  const found = await inParallel(suspects, (entry) => components.getMetadata(entry, signal));
  return suspects.filter((entry, index) => {
    const metadata = found[index]?.metadata;
    return metadata === undefined || ownFieldsHash(metadata) !== entry.fields;
  });
}

/** Compares all of the release with what was applied, and applies what differs or has drifted. */
async function correct(scope: ProviderScope, drifted: readonly OwnedEntry[]): Promise<void> {
  const { record, provider, signal, driftChecks } = scope;
  const release = await loadRelease(scope);
  if (release === undefined) return;
  const { id } = release.reference;
  const laid = await renderedComponents(scope, release, record.state.layout);
  const certified = await scope.certificates.ensure(provider, laid, signal);
  const known = new Map(record.state.owned.map((entry) => [formatComponentKey(entry), entry]));
  const lost = new Set(drifted.map(formatComponentKey));
  const failures: PhaseError[] = [];
  for (const component of certified.components) {
    const key = formatComponentKey(componentKeyOf(component));
    const entry = known.get(key);
    if (entry === undefined) continue;
    if (!lost.has(key) && entry.content === componentHash(component)) continue;
    try {
      const applied = await reapply(scope, component, entry);
      known.set(key, applied);
      if (lost.has(key) && applied.content !== undefined) reportDrift(scope, entry);
    } catch (error) {
      if (!(error instanceof PhaseError)) throw error;
      failures.push(error);
    }
  }
  const compared = [...known.values()];
  await record.save({ ...record.state, owned: compared });
  if (failures[0]) throw failures[0];
  // Whoever was here before may have ended between the last change and its tidying up.
  if (driftChecks.isDue(provider, id)) await scope.store.prune(provider, [id]);
  driftChecks.done(
    provider,
    id,
    nextDriftCheckSeconds(scope, compared, certified.renewAfterSeconds),
  );
}

async function reapply(
  scope: ProviderScope,
  component: Component,
  { stage }: OwnedEntry,
): Promise<OwnedEntry> {
  return { ...(await applyComponent(scope, component)), stage };
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
