import type { Cluster, ClusterResourceSet, ClusterResourceSetBinding } from "@rookery/api";
import { type Client, getOptional, ignoreAlreadyExists } from "@rookery/client";
import { addonsGroup } from "@rookery/cluster-api";
import {
  createMergePatch,
  type Finding,
  formatTime,
  hasOwnerReference,
  isFalse,
  isTrue,
  type KubeObject,
  objectKeyOf,
  ownerReferenceTo,
  withOwnerReference,
} from "@rookery/kube";
import { NotConnectedError, oneError, ResourceError } from "../../errors.ts";
import { seeLog } from "../../names.ts";
import {
  isSame,
  type ResourceBinding,
  type ResourceReference,
  resourcesIn,
  withResource,
  withSet,
} from "../policies.ts";
import type { DataObject, ResourceSetScope } from "../scope.ts";
import { hashOf, objectsIn, valuesOf } from "./contents.ts";

/** Whether the resources of a set are applied in one cluster. */
export interface Applying {
  readonly finding: Finding;
  readonly error?: unknown;
}

const internal = isFalse("InternalError", seeLog);

/** Applies the resources of a set to one cluster, and records them in the binding of the cluster. */
export async function applyToCluster(
  set: ClusterResourceSet,
  cluster: Cluster,
  scope: ResourceSetScope,
): Promise<Applying> {
  const read = await readAll(set, scope);
  if (!("data" in read)) return read;
  const found = await bindingOf(set, cluster, scope);
  const client = scope.workloadClient(cluster);
  if (!client) {
    const owned = withSet(found, set, resourcesIn(found, set));
    await scope.commitBinding(found, owned, { optimisticLock: true });
    return { finding: internal, error: new NotConnectedError(cluster.metadata.name ?? "") };
  }
  const errors: unknown[] = [];
  let resources = resourcesIn(found, set);
  for (const [reference, data] of read.data) {
    const known = resources.find((one) => isSame(one, reference));
    const applied = await applyOne(set, { reference, data, known }, { client, ...scope });
    if (!applied) continue;
    if (applied.error) errors.push(applied.error);
    resources = withResource(resources, applied.binding);
  }
  const bound = withSet(found, set, resources);
  await scope.commitBinding(found, bound, { optimisticLock: true });
  if (errors.length === 0) return { finding: isTrue("Applied") };
  const message = "Failed to apply ClusterResourceSet resources to Cluster";
  return { finding: isFalse("NotApplied", message), error: oneError(errors) };
}

/** Missing resources are left out: their creation starts another reconcile. */
async function readAll(
  set: ClusterResourceSet,
  { getData, commitData }: ResourceSetScope,
): Promise<Applying | { readonly data: readonly (readonly [ResourceReference, DataObject])[] }> {
  const data: (readonly [ResourceReference, DataObject])[] = [];
  for (const reference of set.spec.resources) {
    const object = await getData(reference, set.metadata.namespace ?? "");
    if (!object) continue;
    try {
      if (object.kind === "Secret") valuesOf(object);
    } catch (error) {
      if (!(error instanceof ResourceError) || error.reason !== "WrongSecretType") throw error;
      const message = `Secret type of resource ${reference.name} is not supported`;
      return { finding: isFalse("WrongSecretType", message), error };
    }
    const isOwned = hasOwnerReference(object, set);
    data.push([
      reference,
      isOwned ? object : await commitData(object, withOwnerReference(object, set)),
    ]);
  }
  return { data };
}

async function bindingOf(
  set: ClusterResourceSet,
  { metadata }: Cluster,
  { getBinding, createBinding }: ResourceSetScope,
): Promise<ClusterResourceSetBinding> {
  const { name = "", namespace = "" } = metadata;
  const found = await getBinding({ name, namespace });
  if (found) return found;
  return createBinding({
    apiVersion: `${addonsGroup}/v1beta2`,
    kind: "ClusterResourceSetBinding",
    metadata: { name, namespace, ownerReferences: [ownerReferenceTo(set)] },
    spec: { clusterName: name },
  });
}

interface NamedData {
  readonly reference: ResourceReference;
  readonly data: DataObject;
  readonly known: ResourceBinding | undefined;
}

/** Undefined where the resource is applied already. */
async function applyOne(
  { spec }: ClusterResourceSet,
  { reference, data, known }: NamedData,
  { client, clock }: Pick<ResourceSetScope, "clock"> & { readonly client: Client },
): Promise<{ readonly binding: ResourceBinding; readonly error?: unknown } | undefined> {
  const isReconciled = spec.strategy === "Reconcile";
  const { kind, name } = reference;
  const lastAppliedTime = () => formatTime(clock());
  let hash: string | undefined;
  try {
    const values = valuesOf(data);
    hash = hashOf(values);
    if (known?.applied && (!isReconciled || known.hash === hash)) return undefined;
    const objects = objectsIn(data, values);
    await (isReconciled ? reconcileObjects : createObjects)(client, objects);
    return { binding: { kind, name, hash, applied: true, lastAppliedTime: lastAppliedTime() } };
  } catch (error) {
    const isUnread = error instanceof ResourceError;
    const applied = { applied: false, lastAppliedTime: lastAppliedTime() };
    return { binding: { kind, name, ...(hash && !isUnread && { hash }), ...applied }, error };
  }
}

/** Creates the objects that do not exist; existing ones stay as they are. Rejects after all were tried. */
function createObjects(client: Client, objects: readonly KubeObject[]): Promise<void> {
  return forAll(objects, async (object) => {
    const resource = await client.kind(object);
    await ignoreAlreadyExists(resource.create(object));
  });
}

/** Creates or patches every object. Rejects after all were tried. */
function reconcileObjects(client: Client, objects: readonly KubeObject[]): Promise<void> {
  return forAll(objects, async (object) => {
    const resource = await client.kind<KubeObject>(object);
    const key = objectKeyOf(object);
    const current = await getOptional(resource, key);
    if (!current) {
      await resource.create(object);
      return;
    }
    const patch = createMergePatch(comparable(current, object), object);
    if (Object.keys(patch).length === 0) return;
    const { resourceVersion } = current.metadata;
    const metadata = { ...(patch.metadata as object | undefined), resourceVersion };
    await resource.patch(key, { type: "merge", patch: { ...patch, metadata } });
  });
}

/** Without the fields that only the server sets: a patch cannot remove them. */
function comparable(current: KubeObject, wanted: KubeObject): object {
  const { status, metadata, ...rest } = current;
  const { name, namespace, labels, annotations, finalizers, ownerReferences } = metadata;
  return {
    ...rest,
    metadata: {
      name,
      ...(namespace && { namespace }),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ...(ownerReferences && { ownerReferences }),
    },
    ...(wanted.status !== undefined && status !== undefined && { status }),
  };
}

async function forAll(
  objects: readonly KubeObject[],
  apply: (object: KubeObject) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const object of objects) {
    try {
      await apply(object);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw oneError(errors);
}
