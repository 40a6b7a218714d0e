import type { Cluster } from "@rookery/api";
import { withGenerationOf, withObservedGeneration } from "../../conditions/order.ts";
import { withInitialization } from "../policies.ts";
import type { ClusterScope, ObservedCluster } from "../scope.ts";
import { withStatus } from "../status.ts";

export interface ClusterReport extends Omit<ObservedCluster, "probe"> {
  /** The Cluster as the reconcile read it. */
  readonly read: Cluster;
  /** The Cluster as the server has it now. */
  readonly current: Cluster;
  readonly problems: readonly unknown[];
}

/**
 * Writes the status of the Cluster, and events for its changes. Conditions hold for the generation that was read:
 * where a commit changed the spec meanwhile, its event starts another reconcile.
 */
export async function report(
  { read, current, problems, ...observed }: ClusterReport,
  { commit, probe, recorder, clock }: ClusterScope,
): Promise<Cluster> {
  const asRead = withGenerationOf(current, read);
  const stated = withStatus(
    withInitialization(asRead, observed),
    { ...observed, probe: probe(current) },
    clock,
  );
  const desired = withObservedGeneration(stated, problems.length === 0);
  const committed = await commit(current, desired);
  for (const { reason, note } of changesOf(read, desired)) {
    recorder.event(desired, { type: "Normal", reason, note });
  }
  return committed;
}

/** The reasons and notes of the events for changes that a Cluster goes through once. */
function changesOf(before: Cluster, after: Cluster) {
  const { name } = after.metadata;
  const [was, is] = [before.status?.initialization, after.status?.initialization];
  const phase = after.status?.phase;
  const isProvisioned = !was?.infrastructureProvisioned && is?.infrastructureProvisioned;
  const isInitialized = !was?.controlPlaneInitialized && is?.controlPlaneInitialized;
  const initialized = (part: string, field: string) => [
    { reason: part, note: `Cluster ${name} ${field} is now True` },
  ];
  return [
    ...(isProvisioned ? initialized("InfrastructureReady", "InfrastructureProvisioned") : []),
    ...(isInitialized ? initialized("ControlPlaneInitialized", "ControlPlaneInitialized") : []),
    ...(phase && phase !== before.status?.phase
      ? [{ reason: phase, note: `Cluster ${name} is ${phase}` }]
      : []),
  ];
}
