import { type Client, ignoreAlreadyExists } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import { builtInResources, type KubeObject, objectKeyOf } from "@rookery/kube";
import { readNamespace } from "../check/check-target.ts";
import { MoveError } from "../errors.ts";
import type { PlannedObject } from "../graph/move-plan.ts";
import { identityOf, nameOf } from "../names.ts";
import { copyOf, isSameContent } from "./copy.ts";
import { groupByGroup, inParallel } from "./in-parallel.ts";
import { copyManager, managedFieldsPlan, setManagers, withUids } from "./managed-fields.ts";
import { retry } from "./retry.ts";

export interface CreateOptions {
  /** What the target has already, by identity. */
  readonly existing: ReadonlyMap<string, KubeObject>;
  /** The uid at the target of each uid at the source; what is created is added. */
  readonly uids: Map<string, string>;
  /** Leaves what the target has as it is. */
  readonly keepExisting?: boolean;
  /** Before each group: rejects where the move has been taken over by another process. */
  readonly confirm?: () => Promise<void>;
}

/** Creates objects after their owners; what is there already is updated, unless it is another's too. */
export async function createObjects(
  target: Client,
  objects: readonly PlannedObject[],
  options: CreateOptions,
): Promise<void> {
  await ensureNamespaces(target, objects);
  await groupByGroup(objects, "ascending", async (group) => {
    await options.confirm?.();
    await inParallel(group, async (planned) => {
      try {
        const uid = await retry(() => createObject(target, planned, options));
        options.uids.set(planned.object.metadata.uid ?? "", uid);
      } catch (error) {
        const why = `could not create ${nameOf(planned.object)} at the target: ${messageOf(error)}`;
        throw new MoveError("Failed", why, { cause: error });
      }
    });
  });
}

async function createObject(
  target: Client,
  planned: PlannedObject,
  { existing, uids, keepExisting }: CreateOptions,
): Promise<string> {
  const { resource, object, shared } = planned;
  const resources = target.resource(resource);
  const copy = copyOf(planned, uids);
  const known = existing.get(identityOf(resource, object));
  const managed = managedFieldsPlan(object.metadata.managedFields);
  const created = known ? undefined : await createOnce(target, planned, copy);
  if (created) {
    if (managed.by === "patch") {
      const entries = withUids(managed.entries, uids);
      await setManagers(target, planned, entries);
    }
    return uidOf(created);
  }
  const found = known ?? (await resources.get(objectKeyOf(object)));
  if (shared || keepExisting) return uidOf(found);
  const isSame = isSameContent({ ...copy, apiVersion: found.apiVersion }, found);
  if (!isSame) await updateFound(target, planned, copy);
  const wasCut = found.metadata.managedFields?.some(({ manager }) => manager === copyManager);
  if (!isSame || wasCut) {
    const entries = withUids(object.metadata.managedFields ?? [], uids);
    await setManagers(target, planned, entries);
  }
  return uidOf(found);
}

/** Undefined where it is there already. */
async function createOnce(
  target: Client,
  { resource, object }: PlannedObject,
  copy: KubeObject,
): Promise<KubeObject | undefined> {
  const managed = managedFieldsPlan(object.metadata.managedFields);
  const fieldManager = managed.by === "create" ? managed.fieldManager : copyManager;
  return ignoreAlreadyExists(target.resource(resource).create(copy, { fieldManager }));
}

async function updateFound(
  target: Client,
  { resource, object }: PlannedObject,
  copy: KubeObject,
): Promise<void> {
  const resources = target.resource(resource);
  const { uid, resourceVersion } = (await resources.get(objectKeyOf(object))).metadata;
  const metadata = {
    ...copy.metadata,
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  await resources.update({ ...copy, metadata }, { fieldManager: copyManager });
}

function uidOf({ metadata }: KubeObject): string {
  return metadata.uid ?? "";
}

async function ensureNamespaces(target: Client, objects: readonly PlannedObject[]): Promise<void> {
  const names = new Set(objects.map(({ object }) => object.metadata.namespace ?? ""));
  names.delete("");
  await inParallel([...names], async (name) => {
    if (await readNamespace(target, name)) return;
    const namespace: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
    await ignoreAlreadyExists(target.resource(builtInResources.namespaces).create(namespace));
  });
}
