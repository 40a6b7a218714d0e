import type { Pod, PodDisruptionBudget } from "@rookery/api";
import type { StoreEntry } from "@rookery/kube";
import {
  type Clock,
  type Condition,
  forbiddenError,
  formatTime,
  type KubeObject,
  type LabelSelector,
  labelSelectorAsSelector,
  type Status,
  StatusError,
  setCondition,
  tooManyRequestsError,
} from "@rookery/kube";
import type { Store } from "../store/store.ts";
import { retryOnStale } from "../store/store.ts";
import { storedForm } from "./stored-form.ts";

const resource = "poddisruptionbudgets.policy";
const maxDisrupted = 2000;
const violates = "Cannot evict pod as it would violate the pod's disruption budget.";

export type Disruption =
  /** There is no budget, or it has room. */
  | { readonly kind: "free" }
  /** The pod is unhealthy and may be evicted while it stays so. */
  | { readonly kind: "unhealthy"; readonly budget: string }
  | { readonly kind: "ambiguous"; readonly status: Status };

export interface DisruptionOptions {
  readonly store: Store;
  readonly now: Clock;
  /** Does not change the budget. */
  readonly dryRun: boolean;
}

/**
 * Whether a running pod may be evicted; takes one disruption from its budget. Throws a StatusError
 * if not.
 */
export async function disruptionOf(
  pod: Pod,
  options: DisruptionOptions,
): Promise<Exclude<Disruption, { kind: "ambiguous" }> | Disruption> {
  const [entry, ...others] = budgetsOf(pod, options.store);
  if (entry === undefined) return { kind: "free" };
  if (others.length > 0) return { kind: "ambiguous", status: ambiguous };
  const { spec = {}, status = {} } = entry.object as PodDisruptionBudget;
  const { currentHealthy = 0, desiredHealthy = 0 } = status;
  const isServed = currentHealthy >= desiredHealthy && desiredHealthy > 0;
  const mayGo = spec.unhealthyPodEvictionPolicy === "AlwaysAllow" || isServed;
  if (!isReady(pod) && mayGo) return { kind: "unhealthy", budget: entry.name };
  await takeFrom(entry, pod.metadata?.name ?? "", options);
  return { kind: "free" };
}

const ambiguous = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message:
    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
  code: 500,
} as const satisfies Status;

function isReady({ status }: Pod): boolean {
  return (status?.conditions ?? []).some((each) => each.type === "Ready" && each.status === "True");
}

function budgetsOf({ metadata }: Pod, store: Store): readonly StoreEntry[] {
  const { namespace = "", labels = {} } = metadata ?? {};
  return store.list(resource, { namespace }).entries.filter(({ object }) => {
    const { selector } = (object as PodDisruptionBudget).spec ?? {};
    try {
      return labelSelectorAsSelector(selector as LabelSelector | undefined).matches(labels);
    } catch {
      // An unreadable selector matches nothing.
      return false;
    }
  });
}

/** Takes one disruption from a budget. */
function takeFrom(found: StoreEntry, pod: string, options: DisruptionOptions): Promise<void> {
  const { store, now, dryRun } = options;
  return retryOnStale(async () => {
    const entry = store.get(found);
    if (!entry) return;
    const budget = entry.object as PodDisruptionBudget;
    assertRoom(budget);
    if (dryRun) return;
    const { namespace, name, revision: expected } = entry;
    const object = withOneLess(budget, pod, now);
    await store.write({ resource, namespace, name, expected, object });
  });
}

function assertRoom({ metadata, status = {} }: PodDisruptionBudget): void {
  const { name = "", generation = 0 } = metadata ?? {};
  const { disruptionsAllowed: allowed = 0, disruptedPods = {} } = status;
  if ((status.observedGeneration ?? 0) < generation) throw stillProcessed(name);
  const budgets = { group: "policy", resource: "poddisruptionbudget" };
  if (allowed < 0) throw forbiddenError(budgets, name, "pdb disruptions allowed is negative");
  if (Object.keys(disruptedPods).length > maxDisrupted) {
    const why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
    throw forbiddenError(budgets, name, why);
  }
  if (allowed > 0) return;
  const { desiredHealthy = 0, currentHealthy = 0 } = status;
  throw budgetError(
    `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
    0,
  );
}

/** The disruption controller has not processed the budget's last change. */
export function stillProcessed(name: string): StatusError {
  return budgetError(`The disruption budget ${name} is still being processed by the server.`, 10);
}

function budgetError(why: string, retryAfterSeconds: number): StatusError {
  const { status } = tooManyRequestsError(violates, retryAfterSeconds);
  const causes = [{ reason: "DisruptionBudget", message: why }];
  const details = { ...status.details, causes };
  return new StatusError({ ...status, details } as Status);
}

function withOneLess(budget: PodDisruptionBudget, pod: string, now: Clock): KubeObject {
  const { status = {} } = budget;
  const disruptionsAllowed = (status.disruptionsAllowed ?? 0) - 1;
  const disruptedPods = { ...status.disruptedPods, [pod]: formatTime(now()) };
  const next = { ...status, disruptedPods, disruptionsAllowed };
  if (disruptionsAllowed > 0) return storedForm({ ...budget, status: next } as KubeObject);
  const condition = {
    type: "DisruptionAllowed",
    status: "False" as const,
    observedGeneration: status.observedGeneration ?? 0,
    reason: "InsufficientPods",
    message: "",
  };
  const known = (status.conditions ?? []) as unknown as readonly Condition[];
  const conditions = setCondition(known, condition, now);
  return storedForm({ ...budget, status: { ...next, conditions } } as unknown as KubeObject);
}
