import type { Client } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import { builtInResources } from "@rookery/kube";
import { missingRights, type NeededRight } from "../check/check-rights.ts";
import { sourceProblems } from "../check/check-source.ts";
import {
  existingProblems,
  providerProblems,
  readNamespace,
  targetProblems,
} from "../check/check-target.ts";
import { MoveError, refuse } from "../errors.ts";
import type { MovePlan } from "../graph/move-plan.ts";
import { readExisting } from "../read/read-existing.ts";

export interface Sides {
  readonly source: Client;
  readonly target: Client;
}

/** Everything that is known to go wrong is told before anything is changed. Throws MoveError. */
export async function checkMove({ source, target }: Sides, plan: MovePlan): Promise<void> {
  const { objects } = plan;
  refuse("could not move", sourceProblems(objects));
  refuse("could not move: at the source", await missingRights(source, sourceRights(plan)));
  await requireReachable("target", () => checkTargetRights(target, plan));
  const notReady = "could not move: the target is not ready";
  refuse(notReady, [
    ...(await requireReachable("target", () => providerProblems(source, target))),
    ...(await requireReachable("target", () => targetProblems(target, objects))),
  ]);
  refuse(notReady, existingProblems(await readExisting(target, objects)));
}

/** Throws MoveError where the user may not do at the target what has to be done. */
export async function checkTargetRights(target: Client, plan: MovePlan): Promise<void> {
  const refuseMissing = async (needed: readonly NeededRight[]) =>
    refuse("could not move: at the target", await missingRights(target, needed));
  const { namespaces } = builtInResources;
  await refuseMissing([{ resource: namespaces, verbs: ["get"] }, ...targetRights(plan)]);
  const names = new Set(plan.objects.map(({ object }) => object.metadata.namespace ?? ""));
  names.delete("");
  const found = await Promise.all([...names].map((name) => readNamespace(target, name)));
  if (found.every((namespace) => namespace !== undefined)) return;
  await refuseMissing([{ resource: namespaces, verbs: ["create"] }]);
}

function sourceRights({ objects }: MovePlan): readonly NeededRight[] {
  const moved = objects.filter(({ stays }) => stays === undefined);
  const namespaces = new Set(moved.map(({ object }) => object.metadata.namespace ?? ""));
  return [
    ...moved.map(({ resource, object }) => ({
      resource,
      verbs: ["patch", "delete"] as const,
      ...(object.metadata.namespace && { namespace: object.metadata.namespace }),
    })),
    ...[...namespaces].map((namespace) => ({
      resource: builtInResources.secrets,
      namespace,
      verbs: ["create", "update", "get", "list", "delete", "deletecollection"] as const,
    })),
  ];
}

function targetRights({ objects }: MovePlan): readonly NeededRight[] {
  return objects.map(({ resource, object }) => ({
    resource,
    verbs: ["list", "get", "create", "update", "patch", "delete"] as const,
    ...(object.metadata.namespace && { namespace: object.metadata.namespace }),
  }));
}

/** What cannot be reached is told as such, whatever it was asked first. */
export async function requireReachable<T>(which: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MoveError) throw error;
    const why = `could not ask the ${which} cluster: ${messageOf(error)}`;
    throw new MoveError("NotReady", why, { cause: error });
  }
}
