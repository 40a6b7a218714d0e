import { PhaseError } from "../../errors.ts";
import { renderedComponents } from "../../instances/rendered.ts";
import type { Release } from "../../state/install-state.ts";
import { isRefused } from "../apply-failure.ts";
import { nextDriftCheckSeconds } from "../drift-checks.ts";
import { ownedAfter } from "../policies.ts";
import type { ProviderScope } from "../scope.ts";
import { applyComponents } from "./apply-components.ts";
import { removeObsolete } from "./apply-layout.ts";
import { failChange } from "./fail-change.ts";
import { loadRelease } from "./load-release.ts";
import { withoutReplicas } from "./pause.ts";

/** Applies all that the recorded release has, and records it as applied. Errors: PhaseError. */
export async function applyRelease(scope: ProviderScope, paused: boolean): Promise<void> {
  const { record, provider, signal } = scope;
  const release = await loadRelease(scope);
  if (release === undefined) return;
  const { replicas, layout } = record.state;
  const laid = await renderedComponents(scope, release, layout);
  const certified = await scope.certificates.ensure(provider, laid, signal);
  const components = paused
    ? certified.components.map((component) => withoutReplicas(component, replicas))
    : certified.components;
  try {
    const entries = await applyComponents(scope, components);
    // What instances share, and objects of others' kinds, were not removed before.
    await removeObsolete(scope, components, layout ? undefined : ["external"]);
    const owned = ownedAfter(record.state.owned, entries);
    await record.save({ ...record.state, owned, phase: "Verifying" });
    const again = nextDriftCheckSeconds(scope, owned, certified.renewAfterSeconds);
    scope.driftChecks.done(provider, release.reference.id, again);
  } catch (error) {
    if (!(await hasGivenUp(scope, release, error))) throw error;
  }
}

/** A version that the API server does not take is no better than one whose pods do not start. */
async function hasGivenUp(
  scope: ProviderScope,
  release: Release,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof PhaseError) || !isRefused(error.cause)) return false;
  return failChange(scope, release, error.message);
}
