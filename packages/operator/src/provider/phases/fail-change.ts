import type { FailedChange, InstallState, Release } from "../../state/install-state.ts";
import { storageVersionChanges } from "../../storage-versions/stored-versions.ts";
import { ownedWith } from "../policies.ts";
import type { ProviderScope } from "../scope.ts";

/**
 * Deals with a change that does not work: the last good release comes back, unless the policy says to
 * stay or that is not possible. It is not tried again until the spec changes. Resolves to whether
 * there is something else to go on with; a first install has nothing to go back to.
 */
export async function failChange(
  scope: ProviderScope,
  release: Release,
  message: string,
): Promise<boolean> {
  const { record, provider } = scope;
  const { state } = record;
  const { lastGood } = state;
  if (lastGood === undefined || lastGood.id === release.reference.id || state.failed) return false;
  const { intent, version, assumptions = [] } = release.reference;
  const what = [message, ...assumptions].join("; ");
  const fail = (outcome: FailedChange["outcome"], why: string): InstallState => ({
    ...state,
    failed: { intent, outcome, message: `${version} did not become available: ${what}; ${why}` },
  });
  if (provider.spec?.upgradePolicy?.onFailure === "Stay") {
    await record.save(fail("Failed", "spec.upgradePolicy.onFailure says to stay"));
    return false;
  }
  const before = await scope.store.getRelease(provider, lastGood.id);
  const obstacle = before ? storageObstacle(before, release) : noRecord(lastGood.version);
  if (before === undefined || obstacle !== undefined) {
    await record.save(fail("RollBackNotPossible", obstacle ?? ""));
    return false;
  }
  const why = `${lastGood.version} is back; change the spec to try again`;
  const owned = ownedWith(state.owned, before.components);
  const failed = fail("RolledBack", why);
  await record.save({ ...failed, owned, release: lastGood, phase: "RollingBack" });
  return true;
}

function storageObstacle(before: Release, after: Release): string | undefined {
  const changed = storageVersionChanges(before.components, after.components);
  if (changed.length === 0) return undefined;
  return `${before.reference.version} cannot come back, because the storage version of ${changed.join(", ")} has changed; mend the provider, or change the spec`;
}

function noRecord(version: string): string {
  return `${version} cannot come back, because it was not installed by the operator; mend the provider, or change the spec`;
}
