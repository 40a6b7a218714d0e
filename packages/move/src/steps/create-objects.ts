import { type Client, ignoreAlreadyExists } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import {
  builtInResources,
  deepEqual,
  type KubeObject,
  type OwnerReference,
  objectKeyOf,
} from "@rookery/kube";
import { readNamespace } from "../check/check-target.ts";
import { MoveError } from "../errors.ts";
import { namespacesOf, type PlannedObject } from "../graph/move-plan.ts";
import { identityOf, nameOf } from "../names.ts";
import { groupByGroup, inParallel } from "./in-parallel.ts";
import { copyManager, managedFieldsPlan, setManagers, withUids } from "./managed-fields.ts";
import { retry } from "./retry.ts";

interface CreateOptions {
  /** Existing objects of the target, by identity. */
  readonly existing: ReadonlyMap<string, KubeObject>;
  /** Uids at the target by uids at the source; extended for created objects. */
  readonly uids: Map<string, string>;
  /** Does not update existing objects. */
  readonly keepExisting?: boolean;
  /** Called before each group; rejects after a takeover by another process. */
  readonly confirm?: () => Promise<void>;
}

/** Creates objects after their owners; existing ones are updated, unless they are shared. */
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
  await inParallel(namespacesOf(objects), async (name) => {
    if (await readNamespace(target, name)) return;
    const namespace: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
    await ignoreAlreadyExists(target.resource(builtInResources.namespaces).create(namespace));
  });
}

/** The object for the target, with the uids that its owners have there. */
function copyOf(
  { object, owners }: Pick<PlannedObject, "object" | "owners">,
  uids: ReadonlyMap<string, string>,
): KubeObject {
  const { name, namespace, labels, annotations, finalizers } = object.metadata;
  const ownerReferences = owners.map((owner): OwnerReference => {
    return { ...owner, uid: uids.get(owner.uid) ?? owner.uid };
  });
  return {
    ...object,
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ...(ownerReferences.length > 0 && { ownerReferences }),
    },
  };
}

/** Compares objects without their status and the metadata of the API server. */
export function isSameContent(a: KubeObject, b: KubeObject): boolean {
  return deepEqual(contentOf(a), contentOf(b));
}

function contentOf({ metadata, status: _, ...rest }: KubeObject): object {
  const { labels = {}, annotations = {}, finalizers = [], ownerReferences = [] } = metadata;
  return { ...rest, metadata: { labels, annotations, finalizers, ownerReferences } };
}
