import type { Provider } from "@rookery/api";
import { getCondition } from "@rookery/kube";
import { describeReady, type Judgement } from "../progress/judgement.ts";

const gone: Judgement = { state: "failed", text: "it is not there any more" };

/** Whether all of a provider stands still. */
export function judgePaused(provider: Provider | undefined): Judgement {
  if (!provider) return gone;
  const { metadata, spec, status } = provider;
  const available = getCondition(status?.conditions, "ProviderAvailable");
  const isSeen = available?.observedGeneration === metadata.generation;
  if (spec?.paused && isSeen && available?.reason === "Paused") {
    return { state: "done", text: "is paused" };
  }
  return { state: "waiting", text: `is being paused (${describeReady(provider)})` };
}

/** Outcomes of a change that the operator does not try again by itself. */
const failures: ReadonlySet<string> = new Set(["RolledBack", "RollBackNotPossible", "Failed"]);

/** Whether a provider has a version: installed, and, unless it is paused, available too. */
export function judgeChanged(provider: Provider | undefined, to: string): Judgement {
  if (!provider) return gone;
  const { metadata, spec, status } = provider;
  const upgraded = getCondition(status?.conditions, "ProviderUpgraded");
  const seen = upgraded?.observedGeneration === metadata.generation ? upgraded : undefined;
  if (seen && failures.has(seen.reason)) {
    return { state: "failed", text: `${seen.reason}: ${seen.message}` };
  }
  const isThere = seen?.status === "True" && status?.installedVersion === to;
  const ready = getCondition(status?.conditions, "Ready");
  if (isThere && (spec?.paused || ready?.status === "True")) {
    return { state: "done", text: `is ${to}` };
  }
  return { state: "waiting", text: describeReady(provider) };
}
