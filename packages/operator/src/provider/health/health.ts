import { type ComponentKey, formatComponentKey } from "@rookery/components";
import { getCondition, type KubeObject, labelSelectorAsSelector } from "@rookery/kube";
import type { Deployment } from "../../components/deployment.ts";
import { pods } from "../../resources.ts";
import type { OwnedEntry } from "../../state/install-state.ts";
import type { ProviderScope } from "../scope.ts";
import { describePods, isFailing, type Pod, unsteadyContainers } from "./pods.ts";

export interface Health {
  readonly verdict: "available" | "waiting" | "failing";
  /** Why not all workloads are available; empty if all are. */
  readonly message: string;
}

type Scope = Pick<ProviderScope, "components" | "client" | "clock">;

const workloadKinds: ReadonlySet<string> = new Set(["Deployment", "StatefulSet", "DaemonSet"]);

export function workloadsIn(owned: readonly OwnedEntry[]): readonly ComponentKey[] {
  return owned.filter(({ group, kind }) => group === "apps" && workloadKinds.has(kind));
}

export function deploymentsIn(owned: readonly OwnedEntry[]): readonly ComponentKey[] {
  return owned.filter(({ group, kind }) => group === "apps" && kind === "Deployment");
}

/** Whether a workload is available, and its pods need not be checked. */
export function isPlainlyAvailable(workload: Workload): boolean {
  return isAvailable(workload) && unprobedContainersOf(workload).size === 0;
}

/** Examines workloads as the server has them: a cache may be behind an apply. */
export async function examine(keys: readonly ComponentKey[], scope: Scope): Promise<Health> {
  const examined = keys.map(async (key): Promise<Trouble | undefined> => {
    const workload = (await scope.components.get(key)) as Workload | undefined;
    if (!workload) return { text: `${formatComponentKey(key)} is not there`, isMissing: true };
    return isPlainlyAvailable(workload) ? undefined : troubleOf(workload, scope);
  });
  const troubles = (await Promise.all(examined)).filter((trouble) => trouble !== undefined);
  if (troubles.length === 0) return { verdict: "available", message: "" };
  const missingFirst = troubles.toSorted((a, b) => Number(!a.isMissing) - Number(!b.isMissing));
  const message = missingFirst.map(({ text }) => text).join("; ");
  return { verdict: troubles.some(({ isFailing }) => isFailing) ? "failing" : "waiting", message };
}

interface Trouble {
  readonly text: string;
  readonly isMissing?: boolean;
  readonly isFailing?: boolean;
}

async function troubleOf(
  workload: Workload,
  { client, clock }: Scope,
): Promise<Trouble | undefined> {
  const { namespace = "" } = workload.metadata;
  const labelSelector = labelSelectorAsSelector(workload.spec?.selector ?? {});
  const { items } = await client.resource<Pod>(pods).list({ namespace, labelSelector });
  const present = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const unsteady = unsteadyContainers(present, unprobedContainersOf(workload), clock());
  if (isAvailable(workload) && unsteady.length === 0) return undefined;
  const stalled = hasStalled(workload);
  const texts = [
    describe(workload),
    ...(stalled ? ["it exceeded its progress deadline"] : []),
    ...describePods(present),
    ...unsteady,
  ];
  return { text: texts.join("; "), isFailing: stalled || present.some(isFailing) };
}

interface DaemonSetStatus {
  readonly observedGeneration?: number;
  readonly desiredNumberScheduled?: number;
  readonly updatedNumberScheduled?: number;
  readonly numberAvailable?: number;
}

type DaemonSet = KubeObject<
  Pick<NonNullable<Deployment["spec"]>, "selector" | "template">,
  DaemonSetStatus
>;

/** A Deployment, a StatefulSet (whose status counts in the same words) or a DaemonSet. */
export type Workload = Deployment | DaemonSet;

export function isAvailable(workload: Workload): boolean {
  const { wanted, updated, old, available } = countsOf(workload);
  return isObserved(workload) && updated >= wanted && old === 0 && available >= wanted;
}

/** Whether the progress deadline is exceeded; only Deployments have one. */
export function hasStalled(workload: Workload): boolean {
  if (isDaemonSet(workload) || !isObserved(workload)) return false;
  const progressing = getCondition(workload.status?.conditions, "Progressing");
  return progressing?.status === "False" && progressing.reason === "ProgressDeadlineExceeded";
}

/** Containers without a readiness probe: Kubernetes counts them as ready as soon as they run. */
export function unprobedContainersOf({ spec }: Workload): ReadonlySet<string> {
  const { containers = [], initContainers = [] } = spec?.template?.spec ?? {};
  const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === "Always");
  const unprobed = [...sidecars, ...containers].filter(({ readinessProbe }) => !readinessProbe);
  return new Set(unprobed.map(({ name }) => name));
}

export function describe(workload: Workload): string {
  const { available, wanted } = countsOf(workload);
  const { kind, metadata } = workload;
  return `${kind} ${metadata.name}: ${available} of ${wanted} pods available`;
}

function isObserved({ metadata, status }: Workload): boolean {
  return (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
}

/** The numbers of pods, by the same names for all kinds. */
function countsOf(workload: Workload) {
  if (isDaemonSet(workload)) {
    const { desiredNumberScheduled: wanted = 0, updatedNumberScheduled: updated = 0 } =
      workload.status ?? {};
    return { wanted, updated, old: 0, available: workload.status?.numberAvailable ?? 0 };
  }
  const {
    replicas = 0,
    updatedReplicas: updated = 0,
    availableReplicas: available = 0,
  } = workload.status ?? {};
  const { replicas: wanted = 1 } = workload.spec ?? {};
  return { wanted, updated, old: Math.max(0, replicas - updated), available };
}

function isDaemonSet(workload: Workload): workload is DaemonSet {
  return workload.kind === "DaemonSet";
}
