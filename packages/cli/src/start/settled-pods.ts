import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import { type Condition, hasConditionStatus, type KubeObject } from "@rookery/kube";

type Pod = KubeObject<
  unknown,
  {
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly ContainerStatus[];
  }
>;

interface ContainerStatus {
  readonly state?: { readonly running?: { readonly startedAt?: string } };
}

const askMs = 250;

export interface SettledOptions {
  readonly namespaces: ReadonlySet<string>;
  /** When the node was started. */
  readonly since: Date;
  readonly signal: AbortSignal;
  /** Hears what does not run yet. */
  readonly tell: (why: string) => void;
}

/**
 * Waits until every pod of these namespaces runs that was begun anew. The API remembers of pods what the last run said of
 * them until the node has looked at them.
 */
export async function untilPodsRun(client: Client, options: SettledOptions): Promise<void> {
  const { namespaces, since, signal, tell } = options;
  const resource = await client.mapper.resourceForKind({ group: "", kind: "Pod" });
  // Moments in pods have no milliseconds.
  const moment = Math.floor(since.getTime() / 1000) * 1000;
  for (;;) {
    try {
      const { items } = await client.resource<Pod>(resource).list({ signal });
      const ours = items.filter(({ metadata }) => namespaces.has(metadata.namespace ?? ""));
      const open = ours.filter((pod) => !isRunningSince(pod, moment));
      const [first] = open;
      if (!first) return;
      const { namespace, name } = first.metadata;
      tell(`${open.length} of ${ours.length} do not run yet, such as ${namespace}/${name}`);
    } catch (error) {
      signal.throwIfAborted();
      tell(messageOf(error));
    }
    await delay(askMs, undefined, { signal });
  }
}

function isRunningSince({ status }: Pod, moment: number): boolean {
  const starts = (status?.containerStatuses ?? []).map(({ state }) => state?.running?.startedAt);
  return (
    hasConditionStatus(status?.conditions, "Ready", "True") &&
    starts.every((start) => start !== undefined && Date.parse(start) >= moment)
  );
}
