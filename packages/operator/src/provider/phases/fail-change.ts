import type { FailedChange, Release } from "../../state/install-state.ts";
import { storageVersionChanges } from "../../storage-versions/stored-versions.ts";
import { ownedWith } from "../policies.ts";
import type { ProviderScope } from "../scope.ts";

/**
 * Rolls a failed change back to the last good release, if the policy and the storage versions allow it.
 * The change is not tried again until the spec changes. Returns whether there is a release to continue
 * with; a first install has none.
 */
export async function failChange(
  scope: ProviderScope,
  release: Release,
  message: string,
): Promise<boolean> {
  const { record, provider, store } = scope;
  const { state } = record;
  const { lastGood } = state;
  if (lastGood === undefined || lastGood.id === release.reference.id || state.failed) return false;
  const { intent, version, assumptions = [] } = release.reference;
  const what = [message, ...assumptions].join("; ");
  const failed = (outcome: FailedChange["outcome"], why: string) => ({
    ...state,
    failed: { intent, outcome, message: `${version} did not become available: ${what}; ${why}` },
  });
  if (provider.spec?.upgradePolicy?.onFailure === "Stay") {
    await record.save(failed("Failed", "spec.upgradePolicy.onFailure says to stay"));
    return false;
  }
  const before = await store.getRelease(provider, lastGood.id);
  const obstacle = rollBackObstacle(before, release);
  if (before === undefined || obstacle !== undefined) {
    const way = "mend the provider, or change the spec";
    const why = `${lastGood.version} cannot come back, because ${obstacle}; ${way}`;
    await record.save(failed("RollBackNotPossible", why));
    return false;
  }
  const owned = ownedWith(state.owned, before.components);
  const rolledBack = failed(
    "RolledBack",
    `${lastGood.version} is back; change the spec to try again`,
  );
  await record.save({ ...rolledBack, owned, release: lastGood, phase: "RollingBack" });
  return true;
}

function rollBackObstacle(before: Release | undefined, after: Release): string | undefined {
  if (before === undefined) return "it was not installed by the operator";
  const changed = storageVersionChanges(before.components, after.components);
  if (changed.length === 0) return undefined;
  return `the storage version of ${changed.join(", ")} has changed`;
}
