import { type Finding, isFalse } from "@rookery/kube";
import type { Reason } from "../../conditions/reasons.ts";
import { intentOf } from "../../state/release.ts";
import { examine, isPlainlyAvailable, workloadsIn } from "../health/health.ts";
import { isAvailable, isInstalled, isPausedFinding, type Progress } from "../progress.ts";
import type { ProviderScope } from "../scope.ts";
import { correctDrift } from "./correct-drift.ts";

/** Pods are not watched. */
const unavailableSeconds = 15;

/** Corrects drift of an installed provider, and reports its availability. Errors: PhaseError. */
export async function keepStable(scope: ProviderScope, paused: boolean): Promise<Progress> {
  await forgetFailure(scope);
  if (paused) return { installed: isInstalled, available: isPausedFinding };
  const driftSeconds = await correctDrift(scope);
  const available = await availability(scope);
  const times = [
    driftSeconds,
    scope.driftChecks.secondsLeft(scope.provider),
    available.status === "True" ? undefined : unavailableSeconds,
  ].filter((seconds) => seconds !== undefined);
  const requeue = times.length > 0 && { requeueAfterSeconds: Math.max(1, Math.min(...times)) };
  return { installed: isInstalled, available, ...requeue };
}

async function forgetFailure({ record, provider }: ProviderScope): Promise<void> {
  const { failed, ...state } = record.state;
  if (failed && failed.intent !== intentOf(provider)) await record.save(state);
}

async function availability(scope: ProviderScope): Promise<Finding<Reason>> {
  const keys = workloadsIn(scope.record.state.owned);
  const observed = scope.observedDeployments(scope.provider);
  const known = new Map(observed.map((one) => [one.metadata.name, one]));
  // Other kinds of workloads are rare, and read from the server.
  const isPlain = keys.every(({ kind, name }) => {
    const deployment = kind === "Deployment" ? known.get(name) : undefined;
    return deployment && isPlainlyAvailable(deployment);
  });
  if (isPlain) return isAvailable;
  const { verdict, message } = await examine(keys, scope);
  if (verdict === "available") return isAvailable;
  return isFalse(verdict === "failing" ? "PodsFailing" : "DeploymentsUnavailable", message);
}
