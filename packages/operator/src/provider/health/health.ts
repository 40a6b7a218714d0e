import type { Client } from "@rookery/client";
import { type ComponentKey, formatComponentKey } from "@rookery/components";
import { labelSelectorAsSelector } from "@rookery/kube";
import type { ComponentClient } from "../../components/component-client.ts";
import { pods } from "../../resources.ts";
import type { OwnedEntry } from "../../state/install-state.ts";
import { isFailing, type Pod, troubleOf } from "./pods.ts";
import { describe, hasStalled, isAvailable, type Workload } from "./workload.ts";

/** How the workloads of a provider are. */
export interface Health {
  readonly verdict: "available" | "waiting" | "failing";
  /** For people: what is missing, and why. Empty where all are available. */
  readonly message: string;
}

interface Dependencies {
  readonly components: Pick<ComponentClient, "get">;
  readonly client: Pick<Client, "resource">;
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
  const unavailable = found
    .flatMap(({ workload }) => workload ?? [])
    .filter((workload) => !isAvailable(workload));
  if (missing.length + unavailable.length === 0) return { verdict: "available", message: "" };
  const troubles = await Promise.all(unavailable.map((one) => troubleWith(one, dependencies)));
  const gone = missing.map(({ key }) => `${formatComponentKey(key)} is not there`);
  const message = [...gone, ...troubles.map(({ text }) => text)].join("; ");
  return { verdict: troubles.some(({ failing }) => failing) ? "failing" : "waiting", message };
}

async function troubleWith(
  workload: Workload,
  { client, signal }: Dependencies,
): Promise<{ readonly text: string; readonly failing: boolean }> {
  const { namespace = "" } = workload.metadata;
  const labelSelector = labelSelectorAsSelector(workload.spec?.selector ?? {});
  const { items } = await client.resource<Pod>(pods).list({ namespace, labelSelector, signal });
  const present = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const stalled = hasStalled(workload);
  const texts = [
    describe(workload),
    ...(stalled ? ["it exceeded its progress deadline"] : []),
    ...troubleOf(present),
  ];
  return { text: texts.join("; "), failing: stalled || present.some(isFailing) };
}
