import type { Client } from "@rookery/client";
import { type ComponentKey, formatComponentKey } from "@rookery/components";
import { type Clock, labelSelectorAsSelector } from "@rookery/kube";
import type { ComponentClient } from "../../components/component-client.ts";
import { pods } from "../../resources.ts";
import type { OwnedEntry } from "../../state/install-state.ts";
import { isFailing, type Pod, troubleOf, unsteadyContainers } from "./pods.ts";
import {
  describe,
  hasStalled,
  isAvailable,
  unprobedContainersOf,
  type Workload,
} from "./workload.ts";

/** How the workloads of a provider are. */
export interface Health {
  readonly verdict: "available" | "waiting" | "failing";
  /** For people: what is missing, and why. Empty where all are available. */
  readonly message: string;
}

interface Dependencies {
  readonly components: Pick<ComponentClient, "get">;
  readonly client: Pick<Client, "resource">;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const workloadKinds: ReadonlySet<string> = new Set(["Deployment", "StatefulSet", "DaemonSet"]);

/** All that has pods which must be available. */
export function workloadsIn(owned: readonly OwnedEntry[]): readonly ComponentKey[] {
  return owned.filter(({ group, kind }) => group === "apps" && workloadKinds.has(kind));
}

/** All that is scaled down while a provider is paused. */
export function deploymentsIn(owned: readonly OwnedEntry[]): readonly ComponentKey[] {
  return owned.filter(({ group, kind }) => group === "apps" && kind === "Deployment");
}

/** Whether it is available, and nothing is to be seen from its pods. */
export function isPlainlyWell(workload: Workload): boolean {
  return isAvailable(workload) && unprobedContainersOf(workload).size === 0;
}

/** Asks the server: right after an apply a cache would tell of what was before. */
export async function examine(
  keys: readonly ComponentKey[],
  dependencies: Dependencies,
): Promise<Health> {
  const found = await Promise.all(
    keys.map(async (key) => ({
      key,
      workload: (await dependencies.components.get(key, dependencies.signal)) as
        | Workload
        | undefined,
    })),
  );
  const missing = found.filter(({ workload }) => workload === undefined);
  const workloads = found.flatMap(({ workload }) => workload ?? []);
  const looked = await Promise.all(
    workloads
      .filter((workload) => !isPlainlyWell(workload))
      .map((workload) => troubleWith(workload, dependencies)),
  );
  const troubles = looked.filter((trouble) => trouble !== undefined);
  if (missing.length + troubles.length === 0) return { verdict: "available", message: "" };
  const gone = missing.map(({ key }) => `${formatComponentKey(key)} is not there`);
  const message = [...gone, ...troubles.map(({ text }) => text)].join("; ");
  return { verdict: troubles.some(({ failing }) => failing) ? "failing" : "waiting", message };
}

/** Undefined where it is well. */
async function troubleWith(
  workload: Workload,
  { client, clock, signal }: Dependencies,
): Promise<{ readonly text: string; readonly failing: boolean } | undefined> {
  const { namespace = "" } = workload.metadata;
  const labelSelector = labelSelectorAsSelector(workload.spec?.selector ?? {});
  const { items } = await client.resource<Pod>(pods).list({ namespace, labelSelector, signal });
  const present = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const unsteady = unsteadyContainers(present, unprobedContainersOf(workload), clock());
  if (isAvailable(workload) && unsteady.length === 0) return undefined;
  const stalled = hasStalled(workload);
  const texts = [
    describe(workload),
    ...(stalled ? ["it exceeded its progress deadline"] : []),
    ...troubleOf(present),
    ...unsteady,
  ];
  return { text: texts.join("; "), failing: stalled || present.some(isFailing) };
}
