import {
  controllerOf,
  controllerReferenceTo,
  isControlledBy,
  isInvalid,
  isNotFound,
} from "@rookery/kube";
import { fieldManager } from "../../context/context.ts";
import { complete, findObject, type Kind } from "./kinds.ts";
import type { Stored } from "./objects.ts";
import type { Scope } from "./workload-context.ts";
import { selectorOf } from "./workload-controller.ts";

export interface Claiming<T extends Stored> {
  readonly kind: Kind<T>;
  readonly ownerKind: Kind<Stored>;
  /** What the owner controls, and what it could adopt. */
  readonly candidates: readonly T[];
  /** What else they have to be, beside being selected. */
  readonly accepts?: (candidate: T) => boolean;
  /** Which finalizers those have that it adopts. */
  readonly finalizers?: readonly string[];
}

/**
 * What an owner controls: it adopts what it selects and nobody controls, and lets go what it no
 * longer selects. An owner that is being deleted does neither.
 */
export async function claim<T extends Stored>(
  owner: Stored,
  claiming: Claiming<T>,
  scope: Scope,
): Promise<T[]> {
  const selects = selectorOf(owner);
  const isOurs = (candidate: T) =>
    selects(candidate.metadata.labels) && (claiming.accepts?.(candidate) ?? true);
  const claimed = await Promise.all(
    claiming.candidates.map((candidate) => {
      const isWanted = isOurs(candidate);
      if (isControlledBy(candidate, owner)) {
        return isWanted ? candidate : release(candidate, owner, { claiming, scope });
      }
      const isFree = controllerOf(candidate) === undefined && !isEnding(candidate);
      return isFree && isWanted ? adopt(candidate, owner, { claiming, scope }) : undefined;
    }),
  );
  return claimed.filter((candidate) => candidate !== undefined);
}

function isEnding({ metadata }: Stored): boolean {
  return metadata.deletionTimestamp !== undefined;
}

interface Change<T extends Stored> {
  readonly claiming: Claiming<T>;
  readonly scope: Scope;
}

async function adopt<T extends Stored>(
  candidate: T,
  owner: Stored,
  change: Change<T>,
): Promise<T | undefined> {
  const { claiming, scope } = change;
  const { namespace = "", name = "", uid } = owner.metadata;
  const now = findObject(scope.context.store, claiming.ownerKind, { namespace, name });
  if (now === undefined || now.metadata.uid !== uid || isEnding(now)) return undefined;
  const { finalizers } = claiming;
  return patchMetadata(candidate, change, {
    ownerReferences: [controllerReferenceTo(owner)],
    ...(finalizers && { finalizers }),
  });
}

async function release<T extends Stored>(
  candidate: T,
  owner: Stored,
  change: Change<T>,
): Promise<undefined> {
  if (isEnding(owner)) return;
  const { finalizers } = change.claiming;
  await patchMetadata(candidate, change, {
    ownerReferences: [{ $patch: "delete", uid: owner.metadata.uid }],
    ...(finalizers && { "$deleteFromPrimitiveList/finalizers": finalizers }),
  });
}

/** Undefined where it has gone, or is another one by now. */
async function patchMetadata<T extends Stored>(
  { metadata: { namespace = "", name = "", uid } }: T,
  { claiming, scope }: Change<T>,
  metadata: object,
): Promise<T | undefined> {
  const { context, signal } = scope;
  const patch = { type: "strategic", patch: { metadata: { uid, ...metadata } } } as const;
  try {
    const objects = context.client.resource(claiming.kind.resource);
    return complete<T>(await objects.patch({ namespace, name }, patch, { fieldManager, signal }));
  } catch (error) {
    if (isNotFound(error) || isInvalid(error)) return undefined;
    throw error;
  }
}
