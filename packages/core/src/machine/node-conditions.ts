import type { Machine } from "@rookery/api";
import { type Clock, type ConditionStatement, getCondition } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { falseOf, trueOf, unknownOf } from "../conditions/part.ts";
import { seeLog } from "../words.ts";
import type { Node, NodeCondition } from "./node.ts";
import type { MachineFindings } from "./scope.ts";

const types = ["NodeReady", "NodeHealthy"];
const graceMs = 5 * 60_000;

/** What a Machine says of its node; nothing where it is too early to say more than was said. */
export function nodeConditions(
  machine: Machine,
  findings: MachineFindings,
  clock: Clock,
): ConditionStatement[] {
  const waiting = waitingFor(findings);
  if (waiting) return both("Unknown", "InspectionFailed", waiting);
  const down = connectionConditions(machine, findings, clock);
  if (down) return down;
  const { node } = findings;
  if (node.outcome === "failed") return both("Unknown", "InternalError", seeLog);
  if (node.outcome === "found") return [readyOf(node.node), healthyOf(node.node)];
  return withoutNode(machine);
}

function waitingFor({ cluster }: MachineFindings): string | undefined {
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
function connectionConditions(
  machine: Machine,
  { cluster, probe: { lastSuccess, failures }, node }: MachineFindings,
  clock: Clock,
): ConditionStatement[] | undefined {
  const isTold = types.every((type) => getCondition(machine.status?.conditions, type));
  if (!lastSuccess && failures < 5) {
    return isTold ? [] : both("Unknown", "ConnectionDown", "Remote connection not established yet");
  }
  const lastProbe = lastSuccess
    ? `Last successful probe at ${lastSuccess.toISOString().slice(0, 19)}Z`
    : "";
  const initialized = getCondition(cluster.status?.conditions, "ControlPlaneInitialized");
  const since = Math.max(
    lastSuccess?.getTime() ?? 0,
    Date.parse(initialized?.lastTransitionTime ?? "") || 0,
  );
  if (clock().getTime() - since > graceMs) return both("Unknown", "ConnectionDown", lastProbe);
  if (node.outcome !== "notConnected") return undefined;
  return isTold ? [] : both("Unknown", "ConnectionDown", lastProbe);
}

function both(
  status: ConditionStatement["status"],
  reason: string,
  message: string,
): ConditionStatement[] {
  return types.map((type) => ({ type, status, reason, message }));
}

const readyReasons = { True: "NodeReady", False: "NodeNotReady", Unknown: "NodeReadyUnknown" };

function readyOf({ status }: Node): ConditionStatement {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  if (!ready) {
    return unknownOf("NodeReady", "NodeReadyUnknown", "* Node.Ready: Condition not yet reported");
  }
  const { lastTransitionTime } = ready;
  return {
    type: "NodeReady",
    status: ready.status,
    reason: readyReasons[ready.status],
    message: ready.status !== "True" && ready.message ? `* Node.Ready: ${ready.message}` : "",
    ...(lastTransitionTime && { lastTransitionTime }),
  };
}

/** What a healthy node says. */
const healthy: Readonly<Record<string, NodeCondition["status"]>> = {
  Ready: "True",
  MemoryPressure: "False",
  DiskPressure: "False",
  PIDPressure: "False",
};

function healthyOf({ status }: Node): ConditionStatement {
  const problems = Object.entries(healthy).flatMap(([type, good]) => {
    const found = status?.conditions?.find((condition) => condition.type === type);
    if (found?.status === good) return [];
    const words = found?.message || `Condition is ${found?.status}`;
    return [{ type, found, words: found ? words : "Condition not yet reported" }];
  });
  if (problems.length === 0) return trueOf("NodeHealthy", "NodeHealthy");
  const isBad = problems.some(({ found }) => found && found.status !== "Unknown");
  const message = messageOf(problems);
  return isBad
    ? falseOf("NodeHealthy", "NodeNotHealthy", message)
    : unknownOf("NodeHealthy", "NodeHealthyUnknown", message);
}

interface Problem {
  readonly type: string;
  readonly found: NodeCondition | undefined;
  readonly words: string;
}

/** A node that cannot be reached says the same of everything: that is said once. */
function messageOf(problems: readonly Problem[]): string {
  const reported = problems.filter(({ found }) => found);
  const [first] = reported;
  if (first && reported.length > 1 && new Set(reported.map(({ words }) => words)).size === 1) {
    return `* Node.AllConditions: ${first.words}`;
  }
  return problems.map(({ type, words }) => `* Node.${type}: ${words}`).join("\n");
}

function withoutNode(machine: Machine): ConditionStatement[] {
  const { spec, status } = machine;
  const name = status?.nodeRef?.name;
  if (name) {
    const still = isBeingDeleted(machine) ? "" : " while the Machine still exists";
    return both("False", "NodeDeleted", `Node ${name} has been deleted${still}`);
  }
  if (isBeingDeleted(machine)) return both("Unknown", "NodeDoesNotExist", "Node does not exist");
  const message = spec.providerID
    ? `Waiting for a Node with spec.providerID ${spec.providerID} to exist`
    : `Waiting for ${spec.infrastructureRef.kind} to report spec.providerID`;
  return both("Unknown", "InspectionFailed", message);
}
