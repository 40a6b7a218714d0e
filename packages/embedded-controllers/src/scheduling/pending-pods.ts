import type { Node, Pod } from "@rookery/api";
import type { StoreEvent, StoreReader } from "@rookery/kube";
import { takesRoom } from "./node-state.ts";

const scheduler = "default-scheduler";

/** Whether a pod waits for this scheduler to find it a node. */
export function isPending({ metadata, spec = {}, status }: Pod): boolean {
  const isOver = status?.phase === "Succeeded" || status?.phase === "Failed";
  return (
    !spec.nodeName &&
    spec.schedulerName === scheduler &&
    (spec.schedulingGates ?? []).length === 0 &&
    metadata?.deletionTimestamp === undefined &&
    !isOver
  );
}

/** The highest priority first, then those that have waited longest. */
export function inOrder(pods: readonly Pod[]): readonly Pod[] {
  return pods.toSorted((a, b) => {
    const byPriority = (b.spec?.priority ?? 0) - (a.spec?.priority ?? 0);
    if (byPriority !== 0) return byPriority;
    const [one, other] = [a, b].map(({ metadata }) =>
      Number(new Date(`${metadata?.creationTimestamp}`)),
    );
    return (one ?? 0) - (other ?? 0);
  });
}

export interface Passes {
  /** Resolves to true when there may be something to schedule, to false when it is over. */
  next(): Promise<boolean>;
  /** Looks again after a while, whatever happens. */
  again(afterMs: number): void;
}

const others = ["persistentvolumeclaims", "persistentvolumes", "storageclasses.storage.k8s.io"];

/** Starts a pass when pending pods may have become schedulable. Events at the same time are one pass. */
export function followPending(store: StoreReader, signal: AbortSignal): Passes {
  let isDue = true;
  let wake = () => {};
  const due = () => {
    isDue = true;
    wake();
  };
  const watch = (resource: string, isReason: (event: StoreEvent) => boolean) => {
    const subscription = store.watch(resource, store.revision, (event) => {
      if (isReason(event)) due();
    });
    signal.addEventListener("abort", () => subscription.close(), { once: true });
  };
  watch("pods", isReasonOfPod);
  watch("nodes", isReasonOfNode);
  for (const resource of others) watch(resource, () => true);
  signal.addEventListener("abort", due, { once: true });
  return {
    async next() {
      while (!isDue) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      isDue = false;
      return !signal.aborted;
    },
    again(afterMs) {
      const timer = setTimeout(due, afterMs);
      signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
    },
  };
}

/** A pod waits newly or otherwise than before, or one has left room. */
function isReasonOfPod({ entry, previous }: StoreEvent): boolean {
  const [now, before] = [entry?.object as Pod | undefined, previous?.object as Pod | undefined];
  if (now && isPending(now)) return !before || !isPending(before) || isOtherwise(now, before);
  return before !== undefined && takesRoom(before) && (now === undefined || !takesRoom(now));
}

/** Ignores the status, which the scheduler writes itself. */
function isOtherwise(now: Pod, before: Pod): boolean {
  const of = ({ metadata, spec }: Pod) => JSON.stringify([metadata?.labels, spec]);
  return of(now) !== of(before);
}

/** Heartbeats are no reason. */
function isReasonOfNode({ entry, previous }: StoreEvent): boolean {
  const of = (node: Node | undefined) =>
    JSON.stringify([node?.metadata?.labels, node?.spec, node?.status?.allocatable]);
  return of(entry?.object as Node | undefined) !== of(previous?.object as Node | undefined);
}
