import type { Provider } from "@rookery/api";
import { getCondition } from "@rookery/kube";
import { reasons } from "@rookery/operator";

/** The state of an object that a command waits for. */
export interface Judgement {
  readonly state: "waiting" | "done" | "failed";
  /** "Installing: v1.13.6 is being installed". */
  readonly text: string;
}

/** Whether a provider is ready. */
export function judgeReady(provider: Provider | undefined): Judgement {
  if (!provider) return { state: "waiting", text: "not there yet" };
  const { metadata, status } = provider;
  const ready = getCondition(status?.conditions, "Ready");
  if (ready?.observedGeneration !== metadata.generation || ready === undefined) {
    return { state: "waiting", text: "not seen by the operator yet" };
  }
  if (ready.status === "True") {
    return { state: "done", text: `${status?.installedVersion} is ready` };
  }
  return { state: "waiting", text: describeReady(provider) };
}

/** Reasons of a provider that is not installed yet which pass by themselves. */
const passing: ReadonlySet<string> = new Set([
  ...["WaitingForCoreProvider", "CoreProviderNotReady", "WaitingForFirst", "NotAllowed"],
  ...["ContractChangeBlocked", "UnpauseBlocked", "RateLimited", "SourceUnavailable"],
]);

/** Reasons that do not pass by themselves. */
const stuck: ReadonlySet<string> = new Set(
  [reasons.PreflightCheckPassed, reasons.ProviderFetched]
    .flatMap(Object.keys)
    .filter((reason) => !passing.has(reason))
    .concat("ObjectOwnedByOther", "RolledBack", "RollBackNotPossible", "Failed"),
);

/** Whether a provider is ready, or failed for a reason that does not pass. */
export function judgeInstalled(provider: Provider | undefined): Judgement {
  const judgement = judgeReady(provider);
  if (!provider || judgement.state === "done") return judgement;
  const ready = getCondition(provider.status?.conditions, "Ready");
  const isSeen = ready?.observedGeneration === provider.metadata.generation;
  return ready && isSeen && stuck.has(ready.reason) ? { ...judgement, state: "failed" } : judgement;
}

/** The reason and the message of its Ready condition. */
export function describeReady({ status }: Provider): string {
  const ready = getCondition(status?.conditions, "Ready");
  if (!ready) return "nothing is known of it yet";
  return ready.message ? `${ready.reason}: ${ready.message}` : ready.reason;
}

/** Why a provider that is being deleted still exists. */
export function describeDeletion({ status }: Provider): Judgement {
  const deleting = getCondition(status?.conditions, "Deleting");
  if (!deleting) return { state: "waiting", text: "was asked to go" };
  const text = `${deleting.reason}: ${deleting.message}`;
  return { state: deleting.reason === "InUse" ? "failed" : "waiting", text };
}
