import {
  type Component,
  componentKeyOf,
  contentHash,
  formatComponentKey,
} from "@rookery/components";
import { ownFieldsHash } from "../../components/managed-fields.ts";
import type { OwnedEntry } from "../../state/install-state.ts";
import { intentOf } from "../../state/intent.ts";
import { isAvailable as isDeploymentAvailable } from "../health/deployment.ts";
import { deploymentsIn, examine } from "../health/health.ts";
import { isAvailable, isInstalled, isPausedFinding, not, type Progress } from "../progress.ts";
import type { ProviderScope } from "../scope.ts";
import { applyOne } from "./apply-components.ts";
import { loadRelease } from "./load-release.ts";

/** Looks after what is installed: corrects what others changed, and says how it is. Errors: PhaseError. */
export async function keepStable(scope: ProviderScope, paused: boolean): Promise<Progress> {
  await forgetFailure(scope);
  if (paused) return { installed: isInstalled, available: isPausedFinding };
  await correctDrift(scope);
  const secondsLeft = scope.checkups.secondsLeft(scope.provider);
  const requeue = secondsLeft !== undefined && { requeueAfterSeconds: Math.max(1, secondsLeft) };
  return { installed: isInstalled, available: await availability(scope), ...requeue };
}

/** What failed is history once the spec no longer asks for it. */
async function forgetFailure({ record, provider }: ProviderScope): Promise<void> {
  const { failed, ...state } = record.state;
  if (failed && failed.intent !== intentOf(provider)) await record.save(state);
}

async function availability(scope: ProviderScope) {
  const keys = deploymentsIn(scope.record.state.owned);
  const known = new Map(
    scope.observedDeployments(scope.provider).map((one) => [one.metadata.name, one]),
  );
  const isWell = keys.every(({ name }) => {
    const deployment = known.get(name);
    return deployment && isDeploymentAvailable(deployment);
  });
  if (isWell) return isAvailable;
  const health = await examine(keys, scope);
  if (health.verdict === "available") return isAvailable;
  const reason = health.verdict === "failing" ? "PodsFailing" : "DeploymentsUnavailable";
  return not(reason, health.message);
}

/**
 * Applies again what is no longer as it was applied, from the recorded rendering: neither another
 * Secret nor another source can slip in. Certificates that were renewed come the same way.
 */
async function correctDrift(scope: ProviderScope): Promise<void> {
  const { record, provider, signal, checkups } = scope;
  const { release: reference, owned } = record.state;
  if (reference === undefined || reference.adopted) return;
  const suspects = owned.filter((entry) => isSuspect(scope, entry));
  const isDue = checkups.isDue(provider, reference.id);
  if (suspects.length === 0 && !isDue) return;
  const release = await loadRelease(scope);
  if (release === undefined) return;
  const certified = await scope.certificates.ensure(provider, release.components, signal);
  const corrected = await correct(scope, certified.components, suspects);
  await record.save({ ...record.state, owned: replaced(owned, corrected) });
  // Whoever was here before may have ended between the last change and its tidying up.
  if (isDue) await scope.store.prune(provider, [reference.id]);
  checkups.done(provider, reference.id, certified.renewAfterSeconds);
}

/** A cache may be behind what was just applied: it makes suspicious, and the server decides. */
function isSuspect(scope: ProviderScope, entry: OwnedEntry): boolean {
  if (entry.fields === undefined) return false;
  const observed = scope.observe(entry);
  if (observed === "unwatched") return false;
  return observed === undefined || ownFieldsHash(observed.metadata) !== entry.fields;
}

async function correct(
  scope: ProviderScope,
  components: readonly Component[],
  suspects: readonly OwnedEntry[],
): Promise<readonly OwnedEntry[]> {
  const entries = new Map(
    scope.record.state.owned.map((entry) => [formatComponentKey(entry), entry]),
  );
  const suspected = new Set(suspects.map(formatComponentKey));
  const corrected: OwnedEntry[] = [];
  for (const component of components) {
    const key = formatComponentKey(componentKeyOf(component));
    const entry = entries.get(key);
    if (entry === undefined) continue;
    const isOther = entry.content !== contentHash(component);
    if (!isOther && !(suspected.has(key) && (await hasDrifted(scope, entry)))) continue;
    corrected.push({ ...(await applyOne(scope, component)), stage: entry.stage });
    if (!isOther) tellOfDrift(scope, key);
  }
  return corrected;
}

async function hasDrifted(scope: ProviderScope, entry: OwnedEntry): Promise<boolean> {
  const found = await scope.components.getMetadata(entry, scope.signal);
  return found === undefined || ownFieldsHash(found.metadata) !== entry.fields;
}

function tellOfDrift({ recorder, provider }: ProviderScope, key: string): void {
  const note = `${key} was changed or deleted, and is as it was installed again`;
  recorder.event(provider, { type: "Normal", reason: "DriftCorrected", note });
}

function replaced(
  owned: readonly OwnedEntry[],
  corrected: readonly OwnedEntry[],
): readonly OwnedEntry[] {
  const found = new Map(corrected.map((entry) => [formatComponentKey(entry), entry]));
  return owned.map((entry) => found.get(formatComponentKey(entry)) ?? entry);
}
