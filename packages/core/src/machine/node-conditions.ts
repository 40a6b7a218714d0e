import type { Machine } from "@rookery/api";
import {
  type Clock,
  type Finding,
  type Findings,
  formatTime,
  getCondition,
  isFalse,
  isTrue,
  isUnknown,
} from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import type { MirroredFinding } from "../conditions/mirror.ts";
import { seeLog } from "../names.ts";
import type { Node, NodeCondition } from "./node.ts";
import type { ObservedMachine } from "./scope.ts";

const types = ["NodeReady", "NodeHealthy"];
const graceMs = 5 * 60_000;

/** The findings of a Machine about its node; none where the connection is new and conditions exist. */
export function nodeFindings(machine: Machine, observed: ObservedMachine, clock: Clock): Findings {
  const waiting = waitingFor(observed);
  if (waiting) return both(isUnknown("InspectionFailed", waiting));
  const down = connectionFindings(machine, observed, clock);
  if (down) return down;
  const { node } = observed;
  if (node.outcome === "failed") return both(isUnknown("InternalError", seeLog));
  if (node.outcome === "found") {
    return { NodeReady: readyOf(node.node), NodeHealthy: healthyOf(node.node) };
  }
  return both(withoutNode(machine));
}

function waitingFor({ cluster }: ObservedMachine): string | undefined {
  const { status } = cluster;
  if (!status?.initialization?.infrastructureProvisioned) {
    return "Waiting for Cluster status.initialization.infrastructureProvisioned to be true";
  }
  const initialized = getCondition(status.conditions, "ControlPlaneInitialized");
  return initialized?.status === "True"
    ? undefined
    : "Waiting for Cluster control plane to be initialized";
}

/** Undefined where the cluster answers. */
function connectionFindings(
  machine: Machine,
  { cluster, probe: { lastSuccess, failures }, node }: ObservedMachine,
  clock: Clock,
): Findings | undefined {
  const isReported = types.every((type) => getCondition(machine.status?.conditions, type));
  const down = (message: string) => both(isUnknown("ConnectionDown", message));
  if (!lastSuccess && failures < 5) {
    return isReported ? {} : down("Remote connection not established yet");
  }
  const lastProbe = lastSuccess ? `Last successful probe at ${formatTime(lastSuccess)}` : "";
  const initialized = getCondition(cluster.status?.conditions, "ControlPlaneInitialized");
  const since = Math.max(
    lastSuccess?.getTime() ?? 0,
    Date.parse(initialized?.lastTransitionTime ?? "") || 0,
  );
  if (clock().getTime() - since > graceMs) return down(lastProbe);
  if (node.outcome !== "notConnected") return undefined;
  return isReported ? {} : down(lastProbe);
}

function both(finding: Finding): Findings {
  return Object.fromEntries(types.map((type) => [type, finding]));
}

const readyReasons = { True: "NodeReady", False: "NodeNotReady", Unknown: "NodeReadyUnknown" };

function readyOf({ status }: Node): MirroredFinding {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  if (!ready) return isUnknown("NodeReadyUnknown", "* Node.Ready: Condition not yet reported");
  const { lastTransitionTime } = ready;
  return {
    status: ready.status,
    reason: readyReasons[ready.status],
    message: ready.status !== "True" && ready.message ? `* Node.Ready: ${ready.message}` : "",
    ...(lastTransitionTime && { lastTransitionTime }),
  };
}

/** The conditions of a healthy node. */
const healthy: Readonly<Record<string, NodeCondition["status"]>> = {
  Ready: "True",
  MemoryPressure: "False",
  DiskPressure: "False",
  PIDPressure: "False",
};

function healthyOf({ status }: Node): Finding {
  const problems = Object.entries(healthy).flatMap(([type, good]) => {
    const found = status?.conditions?.find((condition) => condition.type === type);
    if (found?.status === good) return [];
    const words = found?.message || `Condition is ${found?.status}`;
    return [{ type, found, words: found ? words : "Condition not yet reported" }];
  });
  if (problems.length === 0) return isTrue("NodeHealthy");
  const isBad = problems.some(({ found }) => found && found.status !== "Unknown");
  const message = messageOf(problems);
  return isBad ? isFalse("NodeNotHealthy", message) : isUnknown("NodeHealthyUnknown", message);
}

interface Problem {
  readonly type: string;
  readonly found: NodeCondition | undefined;
  readonly words: string;
}

/** The message of a node that cannot be reached is the same in all conditions: it is shown once. */
function messageOf(problems: readonly Problem[]): string {
  const reported = problems.filter(({ found }) => found);
  const [first] = reported;
  if (first && reported.length > 1 && new Set(reported.map(({ words }) => words)).size === 1) {
    return `* Node.AllConditions: ${first.words}`;
  }
  return problems.map(({ type, words }) => `* Node.${type}: ${words}`).join("\n");
}

function withoutNode(machine: Machine): Finding {
  const { spec, status } = machine;
  const name = status?.nodeRef?.name;
  if (name) {
    const still = isBeingDeleted(machine) ? "" : " while the Machine still exists";
    return isFalse("NodeDeleted", `Node ${name} has been deleted${still}`);
  }
  if (isBeingDeleted(machine)) return isUnknown("NodeDoesNotExist", "Node does not exist");
  const message = spec.providerID
    ? `Waiting for a Node with spec.providerID ${spec.providerID} to exist`
    : `Waiting for ${spec.infrastructureRef.kind} to report spec.providerID`;
  return isUnknown("InspectionFailed", message);
}
