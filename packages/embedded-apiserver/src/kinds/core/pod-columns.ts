import type { Container, ContainerStatus, Pod, PodStatus } from "@rookery/api";
import { timeSince } from "@rookery/kube";
import { ageColumn, columns, nameColumn, wideColumns } from "../meta/columns.ts";

/** The values of the columns. */
interface Summary {
  ready: number;
  total: number;
  reason: string;
  restarts: number;
  lastRestart: string;
}

export const podColumns = [
  nameColumn,
  ...columns<Pod>({
    Ready(pod) {
      const { ready, total } = summaryOf(pod);
      return `${ready}/${total}`;
    },
    Status: (pod) => summaryOf(pod).reason,
    Restarts(pod, now) {
      const { restarts, lastRestart } = summaryOf(pod);
      const isKnown = restarts !== 0 && lastRestart !== "";
      return isKnown ? `${restarts} (${timeSince(lastRestart, now)} ago)` : String(restarts);
    },
  }),
  ageColumn,
  ...wideColumns<Pod>({
    IP: ({ status }) => status?.podIPs?.[0]?.ip || "<none>",
    Node: ({ spec }) => spec?.nodeName || "<none>",
    "Nominated Node": ({ status }) => status?.nominatedNodeName || "<none>",
    "Readiness Gates": readinessGates,
  }),
];

function readinessGates({ spec, status }: Pod): string {
  const gates = spec?.readinessGates ?? [];
  const isTrue = (gate: string | undefined) =>
    status?.conditions?.find(({ type }) => type === gate)?.status === "True";
  const passed = gates.filter(({ conditionType }) => isTrue(conditionType));
  return gates.length === 0 ? "<none>" : `${passed.length}/${gates.length}`;
}

function summaryOf(pod: Pod): Summary {
  const { metadata, spec = {}, status = {} } = pod;
  const sidecars = (spec.initContainers ?? []).filter(isSidecar);
  const summary: Summary = {
    ready: 0,
    total: (spec.containers ?? []).length + sidecars.length,
    reason: phaseReason(status),
    restarts: 0,
    lastRestart: "",
  };
  const isInitializing = addInitContainers(summary, pod);
  if (!isInitializing || isTrue(status, "Initialized")) addContainers(summary, pod);
  if (metadata?.deletionTimestamp === undefined) return summary;
  if (status.reason === "NodeLost") summary.reason = "Unknown";
  else if (status.phase !== "Failed" && status.phase !== "Succeeded") {
    summary.reason = "Terminating";
  }
  return summary;
}

function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === "Always";
}

function isTrue({ conditions = [] }: PodStatus, type: string): boolean {
  return conditions.find((condition) => condition.type === type)?.status === "True";
}

function phaseReason({ phase = "", reason = "", conditions = [] }: PodStatus): string {
  const isGated = conditions.some(
    (condition) => condition.type === "PodScheduled" && condition.reason === "SchedulingGated",
  );
  return isGated ? "SchedulingGated" : reason || phase;
}

function countRestarts(summary: Summary, { restartCount = 0, lastState }: ContainerStatus): void {
  summary.restarts += restartCount;
  const finished = lastState?.terminated?.finishedAt ?? "";
  if (finished > summary.lastRestart) summary.lastRestart = finished;
}

/** Returns whether one of them still has to terminate. */
function addInitContainers(summary: Summary, { spec = {}, status = {} }: Pod): boolean {
  const { initContainers = [] } = spec;
  for (const [i, container] of (status.initContainerStatuses ?? []).entries()) {
    countRestarts(summary, container);
    const own = initContainers.find(({ name }) => name === container.name);
    if (container.state?.terminated && (container.state.terminated.exitCode ?? 0) === 0) continue;
    if (own && isSidecar(own) && container.started === true) {
      if (container.ready) summary.ready += 1;
      continue;
    }
    summary.reason = initReason(container, `${i}/${initContainers.length}`);
    return true;
  }
  return false;
}

function initReason({ state }: ContainerStatus, progress: string): string {
  if (state?.terminated) return `Init:${endReason(state.terminated)}`;
  const waiting = state?.waiting?.reason ?? "";
  return `Init:${waiting === "" || waiting === "PodInitializing" ? progress : waiting}`;
}

interface End {
  readonly reason?: string;
  readonly signal?: number;
  readonly exitCode?: number;
}

function endReason({ reason = "", signal = 0, exitCode = 0 }: End): string {
  if (reason !== "") return reason;
  return signal === 0 ? `ExitCode:${exitCode}` : `Signal:${signal}`;
}

function addContainers(summary: Summary, { spec = {}, status = {} }: Pod): void {
  restartsOfSidecars(summary, { spec, status });
  let hasRunning = false;
  for (const container of (status.containerStatuses ?? []).toReversed()) {
    countRestarts(summary, container);
    const { state, ready } = container;
    if (state?.waiting?.reason) summary.reason = state.waiting.reason;
    else if (state?.terminated) summary.reason = endReason(state.terminated);
    else if (ready && state?.running) {
      hasRunning = true;
      summary.ready += 1;
    }
  }
  if (summary.reason !== "Completed" || !hasRunning) return;
  summary.reason = isTrue(status, "Ready") ? "Running" : "NotReady";
}

/** Counts only the restarts of sidecars. */
function restartsOfSidecars(summary: Summary, { spec = {}, status = {} }: Pod): void {
  summary.restarts = 0;
  summary.lastRestart = "";
  const names = (spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name);
  for (const container of status.initContainerStatuses ?? []) {
    if (names.includes(container.name)) countRestarts(summary, container);
  }
}
