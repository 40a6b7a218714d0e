import type { Client } from "@rookery/client";
import { didYouMean } from "@rookery/kube";
import { MoveError } from "../errors.ts";
import { type MovePlan, movePlanOf } from "../graph/move-plan.ts";
import type { MovedType } from "../graph/moved-type.ts";
import { objectGraphOf } from "../graph/object-graph.ts";
import { readMovedTypes, readSource } from "./read-source.ts";

/** All clusters of a namespace, or one. */
export interface Scope {
  readonly namespace: string;
  readonly cluster?: string;
}

interface PlanScope extends Scope {
  /** Includes identities that no object refers to. */
  readonly everyIdentity?: boolean;
}

/** Returns a function that reads the current plan on each call, and the kinds once. */
export function planReader(source: Client, scope: PlanScope): () => Promise<MovePlan> {
  let types: Promise<readonly MovedType[]> | undefined;
  return async () => {
    types ??= readMovedTypes(source);
    return readPlan(source, scope, await types);
  };
}

async function readPlan(
  source: Client,
  scope: PlanScope,
  types: readonly MovedType[],
): Promise<MovePlan> {
  const { objects, usedElsewhere } = await readSource(source, scope.namespace, types);
  const plan = movePlanOf(objectGraphOf(objects, types), { ...scope, usedElsewhere });
  if (plan) return plan;
  const { cluster = "", namespace } = scope;
  const clusters = objects.filter(({ kind }) => kind === "Cluster");
  const near = didYouMean(
    cluster,
    clusters.map(({ metadata }) => metadata.name ?? ""),
  );
  throw new MoveError(
    "InvalidInput",
    `could not move cluster ${cluster}: there is none of that name in namespace ${namespace}` +
      `${near || ";"} -n names another namespace`,
  );
}
