import type { Pod, PodDisruptionBudget, PodDisruptionBudgetStatus } from "@rookery/api";
import type { StoreReader } from "@rookery/kube";
import { controllerOf, type KubeObject, parseTime } from "@rookery/kube";
import type { ControllerContext } from "../../context/context.ts";
import { isPodReady } from "../../services/service-pods.ts";

/** For so long a pod that is evicted is taken as gone. */
const deletionMs = 120_000;

/** How many pods a budget covers, needs and has. */
export function budgetStatus(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  { store, now }: Pick<ControllerContext, "store" | "now">,
): PodDisruptionBudgetStatus {
  const { expectedPods, desiredHealthy } = wantedOf(budget, pods, store);
  const disruptedPods = stillDisrupted(budget, pods, now());
  const healthy = pods.filter((pod) => {
    const { name = "", deletionTimestamp } = pod.metadata ?? {};
    return deletionTimestamp === undefined && !(name in disruptedPods) && isPodReady(pod);
  });
  const spare = expectedPods <= 0 ? 0 : healthy.length - desiredHealthy;
  const { conditions } = budget.status ?? {};
  return {
    observedGeneration: budget.metadata?.generation ?? 0,
    ...(Object.keys(disruptedPods).length > 0 && { disruptedPods }),
    disruptionsAllowed: Math.max(0, spare),
    currentHealthy: healthy.length,
    desiredHealthy,
    expectedPods,
    ...(conditions && { conditions }),
  };
}

function wantedOf({ spec = {} }: PodDisruptionBudget, pods: readonly Pod[], store: StoreReader) {
  const { minAvailable, maxUnavailable } = spec;
  if (maxUnavailable !== undefined) {
    const expectedPods = expectedScale(pods, store);
    const desiredHealthy = Math.max(0, expectedPods - scaled(maxUnavailable, expectedPods));
    return { expectedPods, desiredHealthy };
  }
  if (typeof minAvailable === "string") {
    const expectedPods = expectedScale(pods, store);
    return { expectedPods, desiredHealthy: scaled(minAvailable, expectedPods) };
  }
  return { expectedPods: pods.length, desiredHealthy: minAvailable ?? 0 };
}

/** A number, or a percentage of all, rounded up. */
function scaled(value: number | string, all: number): number {
  if (typeof value === "number") return value;
  return Math.ceil((Number.parseInt(value, 10) * all) / 100);
}

/** The number of pods that their controllers want; pods without a controller do not count. */
function expectedScale(pods: readonly Pod[], store: StoreReader): number {
  const byUid = new Map<string, number>();
  for (const pod of pods) {
    const { uid, scale } = controllerScale(pod as KubeObject, store);
    if (uid !== undefined) byUid.set(uid, scale);
  }
  return [...byUid.values()].reduce((sum, scale) => sum + scale, 0);
}

const workloads: Readonly<Record<string, string>> = {
  ReplicaSet: "replicasets.apps",
  StatefulSet: "statefulsets.apps",
  Deployment: "deployments.apps",
};

/** A ReplicaSet's own controller, where it has one, says how many there shall be. */
function controllerScale(object: KubeObject, store: StoreReader): { uid?: string; scale: number } {
  const owner = controllerOf(object);
  const resource = workloads[owner?.kind ?? ""];
  if (owner === undefined || resource === undefined) return { scale: 0 };
  const { namespace = "" } = object.metadata;
  const found = store.get({ resource, namespace, name: owner.name })?.object;
  if (found === undefined || found.metadata.uid !== owner.uid) return { scale: 0 };
  const above = owner.kind === "ReplicaSet" ? controllerScale(found, store) : undefined;
  if (above?.uid !== undefined) return above;
  const { replicas = 1 } = (found.spec ?? {}) as { readonly replicas?: number };
  return { uid: owner.uid, scale: replicas };
}

function stillDisrupted(
  { status }: PodDisruptionBudget,
  pods: readonly Pod[],
  now: Date,
): Record<string, string> {
  const there = new Set(
    pods
      .filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
      .map(({ metadata }) => metadata?.name ?? ""),
  );
  const entries = Object.entries(status?.disruptedPods ?? {});
  return Object.fromEntries(
    entries.filter(([name, time]) => there.has(name) && endOf(time) >= now.getTime()),
  );
}

function endOf(time: string): number {
  return parseTime(time).getTime() + deletionMs;
}

/** Seconds until a pod that was to be evicted counts again; undefined where there is none. */
export function nextRecheck(
  { disruptedPods = {} }: PodDisruptionBudgetStatus,
  now: Date,
): number | undefined {
  const ends = Object.values(disruptedPods).map(endOf);
  if (ends.length === 0) return undefined;
  return Math.max(1, (Math.min(...ends) - now.getTime()) / 1000);
}
