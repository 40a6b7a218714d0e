import type { Component } from "../documents/documents.ts";
import { isExternal, kindLookup, type Stage, stages } from "./known-kinds.ts";

/** Components of one stage, all of which can be applied at once. */
export interface InstallStage {
  readonly stage: Stage;
  readonly components: readonly Component[];
}

/**
 * Components in the order to apply them: the namespace, CRDs (to be established before anything
 * else), RBAC, configuration, workloads, objects of the components' own kinds, objects of kinds that
 * others define, and last what other writes have to pass: webhooks. Within a stage the order of the
 * file stays.
 */
export function installStages(components: readonly Component[]): readonly InstallStage[] {
  const lookup = kindLookup(components);
  // Of one instance among several, own kinds are here without their CRDs.
  const stageOf = (one: Component) =>
    lookup(one)?.stage ?? (isExternal(one) ? "external" : "instances");
  const byStage = Object.groupBy(components, stageOf);
  return stages.flatMap((stage) => {
    const members = byStage[stage];
    return members ? [{ stage, components: members }] : [];
  });
}

/** All components in the order of their stages. */
export function inInstallOrder(components: readonly Component[]): readonly Component[] {
  return installStages(components).flatMap((stage) => stage.components);
}
