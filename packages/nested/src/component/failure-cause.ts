import { remoteText } from "@rookery/http";
import { parseTime } from "@rookery/kube";
import type { ContainerStatus, Pod } from "../manifests/kinds.ts";

/** The limit for the message of a condition: programs may write 4 KiB. */
const longest = 512;

/** Why pods are not ready, by the newest pod with a reason. Remote text: programs write parts. */
export function failureCause(pods: readonly Pod[]): string | undefined {
  const causes = pods
    .filter((pod) => !pod.metadata.deletionTimestamp && !isTrue(pod, "Ready"))
    .toSorted((a, b) => createdAt(b) - createdAt(a))
    .flatMap((pod) => {
      const cause = causeOf(pod);
      return cause ? [`pod ${pod.metadata.name}: ${cause}`] : [];
    });
  return causes[0] && remoteText(causes[0], longest);
}

function causeOf({ status }: Pod): string | undefined {
  const { initContainerStatuses = [], containerStatuses = [], conditions = [] } = status ?? {};
  const unscheduled = conditions.find(({ type }) => type === "PodScheduled");
  if (unscheduled?.status === "False") return phrase(unscheduled);
  const containers = [...initContainerStatuses, ...containerStatuses];
  const failing = containers.filter(
    ({ ready, state }) => !ready && state?.terminated?.exitCode !== 0,
  );
  const known = failing.flatMap((one) => {
    const why = whyOf(one);
    return why ? [`container ${one.name ?? ""} ${why}`] : [];
  });
  return known[0] ?? (status?.reason ? phrase(status) : undefined);
}

/** The exit of a container explains more than the following back-off. */
function whyOf({ state, lastState }: ContainerStatus): string | undefined {
  const ended = state?.terminated ?? lastState?.terminated;
  if (ended) {
    const { exitCode, reason, message } = ended;
    const how = exitCode === undefined ? "ended" : `ended with exit code ${exitCode}`;
    return phrase({ reason: reason && reason !== "Error" ? `${how} (${reason})` : how, message });
  }
  if (state?.waiting?.reason) return `waits: ${phrase(state.waiting)}`;
  return state?.running ? "runs and does not become ready" : undefined;
}

function phrase({ reason, message }: Partial<Record<"reason" | "message", string | undefined>>) {
  return [reason, lastLine(message)].filter(Boolean).join(": ");
}

/** The last line of a program's output explains its end. */
function lastLine(message = ""): string {
  return remoteText(message.trimEnd().split(/\r?\n/).at(-1)?.trim() ?? "");
}

function isTrue({ status }: Pod, condition: string): boolean {
  return (status?.conditions ?? []).some((one) => one.type === condition && one.status === "True");
}

function createdAt({ metadata: { creationTimestamp } }: Pod): number {
  return creationTimestamp ? parseTime(creationTimestamp).getTime() : 0;
}
