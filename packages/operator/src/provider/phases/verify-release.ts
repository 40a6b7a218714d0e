import { isFalse } from "@rookery/kube";
import { labelOf } from "../../identity/identity.ts";
import { areFirstDefinitions } from "../../storage-versions/first-definitions.ts";
import { migrateStoredVersions } from "../../storage-versions/stored-versions.ts";
import { examine, workloadsIn } from "../health/health.ts";
import { isInstalled, type Progress } from "../progress.ts";
import type { ProviderScope } from "../scope.ts";
import { failChange } from "./fail-change.ts";
import { loadRelease } from "./load-release.ts";
import { recordInventory } from "./record-inventory.ts";

/** Pods are looked at again this often, also where no event comes: their statuses are not watched. */
const pollSeconds = 5;

/**
 * Waits for what was applied to become available; then it is the last good release. Resolves to what
 * it waits for; undefined where the phase has changed. Errors: PhaseError.
 */
export async function verifyRelease(
  scope: ProviderScope,
  paused: boolean,
): Promise<Progress | undefined> {
  const { record } = scope;
  if (!paused) {
    const health = await examine(workloadsIn(record.state.owned), scope);
    if (health.verdict === "failing" && (await hasChanged(scope, health.message))) return undefined;
    if (health.verdict !== "available") {
      const reason = health.verdict === "failing" ? "PodsFailing" : "WaitingForDeployments";
      const available = isFalse(reason, health.message);
      return { installed: isInstalled, available, requeueAfterSeconds: pollSeconds };
    }
    if (!(await isStoredAnew(scope))) {
      const available = isFalse(
        "WaitingForDeployments",
        "objects are not yet stored in the new version",
      );
      return { installed: isInstalled, available, requeueAfterSeconds: pollSeconds };
    }
  }
  await settle(scope);
  return undefined;
}

/** Whether all objects are stored in the storage version of the release. Errors: PhaseError. */
async function isStoredAnew(scope: ProviderScope): Promise<boolean> {
  const { record, provider, client, signal } = scope;
  if (record.state.release?.adopted || record.state.layout?.first === false) return true;
  const crds = record.state.owned.filter(({ stage }) => stage === "crds");
  const label = labelOf(provider);
  if (await areFirstDefinitions(crds, { client, label, signal })) return true;
  const release = await loadRelease(scope);
  return release === undefined || migrateStoredVersions(release.components, client, signal);
}

async function hasChanged(scope: ProviderScope, message: string): Promise<boolean> {
  const { release: reference, lastGood, failed } = scope.record.state;
  // It is looked at often: what is known to stay is not loaded each time.
  if (failed || lastGood === undefined || lastGood.id === reference?.id) return false;
  const release = await loadRelease(scope);
  return release === undefined || failChange(scope, release, message);
}

/** All is as it should be: clusterctl is told, and what nobody needs any more is forgotten. */
async function settle(scope: ProviderScope): Promise<void> {
  const { record, provider, store } = scope;
  const { failed, ...state } = record.state;
  const { release, layout } = state;
  if (release === undefined) return;
  if (layout?.first !== false) await recordInventory(scope, release.version);
  const isRolledBack = failed !== undefined && failed.intent !== release.intent;
  await record.save({
    ...state,
    ...(isRolledBack && { failed }),
    phase: "Stable",
    lastGood: release,
  });
  await store.prune(provider, [release.id]);
}
