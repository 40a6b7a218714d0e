import type { ContainerStatus, PodCondition, PodStatus } from "@rookery/api";
import { type BoundPod, containersOf, initContainersOf, isSidecar } from "./pod.ts";

export interface ConditionContext {
  readonly phase: string;
  readonly initStatuses: readonly ContainerStatus[];
  readonly statuses: readonly ContainerStatus[];
  /** The pod has its address and its volumes. */
  readonly hasSandbox: boolean;
  readonly now: string;
}

type Statement = Pick<PodCondition, "status" | "reason" | "message">;

const holds: Statement = { status: "True" };

/** The conditions that a kubelet sets, in its order; times of those that stay are kept. */
export function podConditions(pod: BoundPod, context: ConditionContext): PodCondition[] {
  const containers = containersReady(pod, context);
  const statements: readonly (readonly [string, Statement])[] = [
    ["PodReadyToStartContainers", context.hasSandbox ? holds : { status: "False" }],
    ["Initialized", initialized(pod, context)],
    ["Ready", containers.status === "True" ? gatesReady(pod) : containers],
    ["ContainersReady", containers],
    ["PodScheduled", holds],
  ];
  return statements.map(([type, statement]) => condition(pod, type, { ...statement, context }));
}

function condition(
  pod: BoundPod,
  type: string,
  { context, ...statement }: Statement & { readonly context: ConditionContext },
): PodCondition {
  const known = conditionOf(pod.status, type);
  const stays = known?.status === statement.status;
  const { generation } = pod.metadata;
  return {
    type,
    ...statement,
    ...(generation !== undefined && { observedGeneration: generation }),
    lastTransitionTime: (stays && known?.lastTransitionTime) || context.now,
  };
}

function conditionOf(status: PodStatus | undefined, type: string): PodCondition | undefined {
  return status?.conditions?.find((one) => one.type === type);
}

function containersReady(pod: BoundPod, context: ConditionContext): Statement {
  const { phase, initStatuses, statuses } = context;
  if (phase === "Succeeded") return { status: "False", reason: "PodCompleted" };
  if (phase === "Failed") return { status: "False", reason: "PodFailed" };
  const sidecars = initContainersOf(pod).filter(isSidecar);
  const known = new Map([...initStatuses, ...statuses].map((one) => [one.name, one.ready]));
  const unready = [...sidecars, ...containersOf(pod)].filter(({ name }) => !known.get(name));
  if (unready.length === 0) return holds;
  const message = `containers with unready status: [${namesOf(unready)}]`;
  return { status: "False", reason: "ContainersNotReady", message };
}

function gatesReady({ spec, status }: BoundPod): Statement {
  const problems = (spec.readinessGates ?? []).flatMap(({ conditionType = "" }) => {
    const found = conditionOf(status, conditionType);
    if (!found) {
      return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    }
    if (found.status === "True") return [];
    return [
      `the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`,
    ];
  });
  if (problems.length === 0) return holds;
  return { status: "False", reason: "ReadinessGatesNotReady", message: problems.join(", ") };
}

function initialized(
  pod: BoundPod,
  { phase, initStatuses, statuses }: ConditionContext,
): Statement {
  if (phase === "Succeeded") return { status: "True", reason: "PodCompleted" };
  if (statuses.some(hasStarted)) return holds;
  const known = new Map(initStatuses.map((one) => [one.name, one]));
  const incomplete = initContainersOf(pod).filter((container) => {
    const status = known.get(container.name);
    return isSidecar(container) ? !status?.started : !status?.ready;
  });
  if (incomplete.length === 0) return holds;
  const message = `containers with incomplete status: [${namesOf(incomplete)}]`;
  return { status: "False", reason: "ContainersNotInitialized", message };
}

/** Whether it runs now or has run before. */
export function hasStarted({ state, lastState }: ContainerStatus): boolean {
  return Boolean(state?.running || state?.terminated || lastState?.terminated);
}

function namesOf(containers: readonly { readonly name?: string }[]): string {
  return containers.map(({ name }) => name).join(" ");
}
