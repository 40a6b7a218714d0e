import type { Client } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import { builtInResources, type KubeObject, type Resource } from "@rookery/kube";
import { missingRights, type NeededRight } from "../check/check-rights.ts";
import { sourceProblems } from "../check/check-source.ts";
import {
  existingProblems,
  providerProblems,
  readNamespace,
  targetProblems,
} from "../check/check-target.ts";
import { MoveError, rejectProblems } from "../errors.ts";
import { type MovePlan, namespacesOf } from "../graph/move-plan.ts";
import { readExisting } from "../read/read-existing.ts";

export interface Sides {
  readonly source: Client;
  readonly target: Client;
}

/** All checks before the first change. Throws MoveError. */
export async function checkMove({ source, target }: Sides, plan: MovePlan): Promise<void> {
  const { objects } = plan;
  rejectProblems("could not move", sourceProblems(objects));
  rejectProblems("could not move: at the source", await missingRights(source, sourceRights(plan)));
  await requireReachable("target", () => checkTargetRights(target, plan));
  const notReady = "could not move: the target is not ready";
  rejectProblems(notReady, [
    ...(await requireReachable("target", () => providerProblems(source, target))),
    ...(await requireReachable("target", () => targetProblems(target, objects))),
  ]);
  rejectProblems(notReady, existingProblems(await readExisting(target, objects)));
}

/** Throws MoveError for missing rights at the target. */
export async function checkTargetRights(target: Client, plan: MovePlan): Promise<void> {
  const check = async (needed: readonly NeededRight[]) =>
    rejectProblems("could not move: at the target", await missingRights(target, needed));
  const { namespaces } = builtInResources;
  const verbs = ["list", "get", "create", "update", "patch", "delete"] as const;
  await check([{ resource: namespaces, verbs: ["get"] }, ...rightsOn(plan.objects, verbs)]);
  const names = namespacesOf(plan.objects);
  const found = await Promise.all(names.map((name) => readNamespace(target, name)));
  if (found.every((namespace) => namespace !== undefined)) return;
  await check([{ resource: namespaces, verbs: ["create"] }]);
}

function sourceRights({ objects }: MovePlan): readonly NeededRight[] {
  const moved = objects.filter(({ stays }) => stays === undefined);
  return [
    ...rightsOn(moved, ["patch", "delete"]),
    ...namespacesOf(moved).map((namespace) => ({
      resource: builtInResources.secrets,
      namespace,
      verbs: ["create", "update", "get", "list", "delete", "deletecollection"] as const,
    })),
  ];
}

export function rightsOn(
  objects: readonly {
    readonly resource: Resource;
    readonly object: Pick<KubeObject, "metadata">;
  }[],
  verbs: NeededRight["verbs"],
): readonly NeededRight[] {
  return objects.map(({ resource, object: { metadata } }) => ({
    resource,
    verbs,
    ...(metadata.namespace && { namespace: metadata.namespace }),
  }));
}

/** Reports errors of requests as an unreachable cluster. */
export async function requireReachable<T>(which: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MoveError) throw error;
    const why = `could not ask the ${which} cluster: ${messageOf(error)}`;
    throw new MoveError("NotReady", why, { cause: error });
  }
}
