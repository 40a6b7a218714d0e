import { isFalse } from "@rookery/kube";
import { intentOf } from "../../state/intent.ts";
import { examine, isPlainlyWell, workloadsIn } from "../health/health.ts";
import { isAvailable, isInstalled, isPausedFinding, type Progress } from "../progress.ts";
import type { ProviderScope } from "../scope.ts";
import { correctDrift } from "./correct-drift.ts";

/** Pods are looked at again this often, because they are not watched. */
const unavailableSeconds = 15;

/** Looks after what is installed: corrects what others changed, and says how it is. Errors: PhaseError. */
export async function keepStable(scope: ProviderScope, paused: boolean): Promise<Progress> {
  await forgetFailure(scope);
  if (paused) return { installed: isInstalled, available: isPausedFinding };
  const resting = await correctDrift(scope);
  const available = await availability(scope);
  const times = [
    resting,
    scope.driftChecks.secondsLeft(scope.provider),
    available.status === "True" ? undefined : unavailableSeconds,
  ].filter((seconds) => seconds !== undefined);
  const requeue = times.length > 0 && { requeueAfterSeconds: Math.max(1, Math.min(...times)) };
  return { installed: isInstalled, available, ...requeue };
}

/** What failed is history once the spec no longer asks for it. */
async function forgetFailure({ record, provider }: ProviderScope): Promise<void> {
  const { failed, ...state } = record.state;
  if (failed && failed.intent !== intentOf(provider)) await record.save(state);
}

async function availability(scope: ProviderScope) {
  const keys = workloadsIn(scope.record.state.owned);
  const known = new Map(
    scope.observedDeployments(scope.provider).map((one) => [one.metadata.name, one]),
  );
  // Others than Deployments are rare, and asked for.
  const isWell = keys.every(({ kind, name }) => {
    const deployment = kind === "Deployment" ? known.get(name) : undefined;
    return deployment && isPlainlyWell(deployment);
  });
  if (isWell) return isAvailable;
  const health = await examine(keys, scope);
  if (health.verdict === "available") return isAvailable;
  const reason = health.verdict === "failing" ? "PodsFailing" : "DeploymentsUnavailable";
  return isFalse(reason, health.message);
}
