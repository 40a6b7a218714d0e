import type { Provider } from "@rookery/api";
import { getCondition } from "@rookery/kube";
import { reasons } from "@rookery/operator";

/** What is known of one thing that a command waits for. */
export interface Judgement {
  readonly state: "waiting" | "done" | "failed";
  /** "Installing: v1.13.6 is being installed". */
  readonly text: string;
}

/** Whether a provider runs as its spec says. */
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

/** Reasons of a provider that is not installed which pass without anybody's help. */
const passing: ReadonlySet<string> = new Set([
  ...["WaitingForCoreProvider", "CoreProviderNotReady", "WaitingForFirst", "NotAllowed"],
  ...["ContractChangeBlocked", "UnpauseBlocked", "RateLimited", "SourceUnavailable"],
]);

/** Reasons that somebody has to do something about: to wait does not help. */
const stuck: ReadonlySet<string> = new Set(
  [reasons.PreflightCheckPassed, reasons.ProviderFetched]
    .flatMap(Object.keys)
    .filter((reason) => !passing.has(reason))
    .concat("ObjectOwnedByOther", "RolledBack", "RollBackNotPossible", "Failed"),
);

/** Whether a provider runs as its spec says, or never will by itself. */
export function judgeInstalled(provider: Provider | undefined): Judgement {
  const judgement = judgeReady(provider);
  if (!provider || judgement.state === "done") return judgement;
  const ready = getCondition(provider.status?.conditions, "Ready");
  const isSeen = ready?.observedGeneration === provider.metadata.generation;
  return ready && isSeen && stuck.has(ready.reason) ? { ...judgement, state: "failed" } : judgement;
}

/** What its Ready condition says: a reason, and a message where there is one. */
export function describeReady({ status }: Provider): string {
  const ready = getCondition(status?.conditions, "Ready");
  if (!ready) return "nothing is known of it yet";
  return ready.message ? `${ready.reason}: ${ready.message}` : ready.reason;
}

/** Why a provider that was asked to go is still there. */
export function describeDeletion({ status }: Provider): Judgement {
  const deleting = getCondition(status?.conditions, "Deleting");
  if (!deleting) return { state: "waiting", text: "was asked to go" };
  const text = `${deleting.reason}: ${deleting.message}`;
  return { state: deleting.reason === "InUse" ? "failed" : "waiting", text };
}
