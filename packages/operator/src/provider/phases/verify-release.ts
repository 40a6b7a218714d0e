import { type Finding, isFalse } from "@rookery/kube";
import type { Reason } from "../../conditions/reasons.ts";
import { labelOf } from "../../identity/identity.ts";
import {
  areFirstDefinitions,
  migrateStoredVersions,
} from "../../storage-versions/stored-versions.ts";
import { examine, workloadsIn } from "../health/health.ts";
import { isInstalled, type Progress } from "../progress.ts";
import type { ProviderScope } from "../scope.ts";
import { failChange } from "./fail-change.ts";
import { loadRelease } from "./load-components.ts";
import { recordInventory } from "./record-inventory.ts";

/** The statuses of pods are not watched. */
const pollSeconds = 5;

/** Waits until a release is available, then records it as good; undefined when that is done. */
export async function verifyRelease(
  scope: ProviderScope,
  paused: boolean,
): Promise<Progress | undefined> {
  if (!paused) {
    const { verdict, message } = await examine(workloadsIn(scope.record.state.owned), scope);
    const isFailing = verdict === "failing";
    if (isFailing && (await hasRolledBack(scope, message))) return undefined;
    if (verdict !== "available") {
      return waiting(isFalse(isFailing ? "PodsFailing" : "WaitingForDeployments", message));
    }
    if (!(await areObjectsMigrated(scope))) {
      const why = "objects are not yet stored in the new version";
      return waiting(isFalse("WaitingForDeployments", why));
    }
  }
  await recordStable(scope);
  return undefined;
}

function waiting(available: Finding<Reason>): Progress {
  return { installed: isInstalled, available, requeueAfterSeconds: pollSeconds };
}

async function areObjectsMigrated(scope: ProviderScope): Promise<boolean> {
  const { record, provider, client, signal } = scope;
  if (record.state.release?.adopted || record.state.layout?.first === false) return true;
  const crds = record.state.owned.filter(({ stage }) => stage === "crds");
  if (await areFirstDefinitions(crds, labelOf(provider), client)) return true;
  const release = await loadRelease(scope);
  return release === undefined || migrateStoredVersions(release.components, client, signal);
}

async function hasRolledBack(scope: ProviderScope, message: string): Promise<boolean> {
  const { release: reference, lastGood, failed } = scope.record.state;
  // Without loading the release, because this runs often.
  if (failed || lastGood === undefined || lastGood.id === reference?.id) return false;
  const release = await loadRelease(scope);
  return release === undefined || failChange(scope, release, message);
}

async function recordStable(scope: ProviderScope): Promise<void> {
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
