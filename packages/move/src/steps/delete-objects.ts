import type { Client } from "@rookery/client";
import { deleteForMoveAnnotation } from "@rookery/cluster-api";
import { messageOf } from "@rookery/errors";
import {
  isConflict,
  isNotFound,
  type KubeObject,
  type ObjectKey,
  type Resource,
} from "@rookery/kube";
import { MoveError } from "../errors.ts";
import { fieldManager } from "../names.ts";
import { groupByGroup, inParallel } from "./in-parallel.ts";
import { retry } from "./retry.ts";

export interface DeletedObject {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly group: number;
}

/** Deletes objects before their owners, without finalizers and without effects on their infrastructure. */
export async function deleteObjects(
  client: Client,
  objects: readonly DeletedObject[],
  confirm: () => Promise<void> = async () => {},
): Promise<void> {
  await groupByGroup(objects, "descending", async (group) => {
    await confirm();
    await inParallel(group, async (object) => {
      try {
        await retry(() => deleteObject(client, object));
      } catch (error) {
        if (isNotFound(error)) return;
        const name = `${object.resource.kind} ${object.key.name}`;
        const why = `could not delete ${name}: ${messageOf(error)}`;
        throw new MoveError("Failed", why, { cause: error });
      }
    });
  });
}

async function deleteObject(client: Client, { resource, key, uid }: DeletedObject): Promise<void> {
  const resources = client.resource<KubeObject>(resource);
  try {
    const annotations = { [deleteForMoveAnnotation]: "" };
    const patch = { metadata: { uid, annotations, finalizers: null } };
    await resources.patch(key, { type: "merge", patch }, { fieldManager });
    const left = await resources.delete(key, { preconditions: { uid } });
    // A controller may have added its finalizer again; during the deletion it cannot.
    if (!isEnding(left)) return;
    const drop = { metadata: { uid, finalizers: null } };
    await resources.patch(key, { type: "merge", patch: drop }, { fieldManager });
  } catch (error) {
    if (isConflict(error) && (await isAnother(client, { resource, key, uid }))) return;
    throw error;
  }
}

function isEnding(answer: object): boolean {
  const { metadata } = answer as Partial<KubeObject>;
  return (metadata?.finalizers?.length ?? 0) > 0 && metadata?.deletionTimestamp !== undefined;
}

async function isAnother(
  client: Client,
  { resource, key, uid }: Omit<DeletedObject, "group">,
): Promise<boolean> {
  return (await client.resource(resource).get(key)).metadata.uid !== uid;
}
