import type { Provider } from "@rookery/api";
import { getCondition } from "@rookery/kube";

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
