import { PhaseError } from "../../errors.ts";
import { ownedAfter } from "../policies.ts";
import type { ProviderScope } from "../scope.ts";
import { applyComponents, isRejected } from "./apply-components.ts";
import { failChange } from "./fail-change.ts";
import { completeDriftCheck, loadComponents } from "./load-components.ts";
import { removeObsolete } from "./remove-components.ts";

export async function applyRelease(scope: ProviderScope, paused: boolean): Promise<void> {
  const { record } = scope;
  const loaded = await loadComponents(scope, paused);
  if (loaded === undefined) return;
  const { components, release } = loaded;
  try {
    const entries = await applyComponents(scope, components);
    // Objects that instances share, and those of external kinds, were not removed before.
    await removeObsolete(scope, components, record.state.layout ? undefined : ["external"]);
    const owned = ownedAfter(record.state.owned, entries);
    await record.save({ ...record.state, owned, phase: "Verifying" });
    completeDriftCheck(scope, owned, loaded);
  } catch (error) {
    // A release that the API server rejects is handled like one whose pods do not start.
    if (!(error instanceof PhaseError) || !isRejected(error.cause)) throw error;
    if (!(await failChange(scope, release, error.message))) throw error;
  }
}
