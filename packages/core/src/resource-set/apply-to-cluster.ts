import type { Cluster, ClusterResourceSet, ClusterResourceSetBinding } from "@rookery/api";
import type { Client } from "@rookery/client";
import {
  type Finding,
  formatTime,
  hasOwnerReference,
  isFalse,
  isTrue,
  ownerReferenceTo,
  withOwnerReference,
} from "@rookery/kube";
import { NotConnectedError, oneError, ResourceError } from "../errors.ts";
import { seeLog } from "../names.ts";
import { createObjects, reconcileObjects } from "./apply-objects.ts";
import { hashOf, objectsIn, valuesOf } from "./contents.ts";
import type { DataObject, ResourceReference, ResourceSetDependencies } from "./scope.ts";

/** Whether the resources of a set are applied in one cluster. */
export interface Applying {
  readonly finding: Finding;
  readonly error?: unknown;
}

const internal = isFalse("InternalError", seeLog);

type Binding = ClusterResourceSetBinding;
type Applied = NonNullable<NonNullable<Binding["spec"]["bindings"]>[number]["resources"]>[number];

/** Applies what a set names to one cluster, and keeps in a binding what was applied. */
export async function applyToCluster(
  set: ClusterResourceSet,
  cluster: Cluster,
  dependencies: ResourceSetDependencies,
): Promise<Applying> {
  const read = await readAll(set, dependencies);
  if (!("data" in read)) return read;
  const found = await bindingOf(set, cluster, dependencies);
  const client = dependencies.workloadClient(cluster);
  if (!client) {
    const owned = withSet(found, set, resourcesIn(found, set));
    await dependencies.commitBinding(found, owned, { optimisticLock: true });
    return { finding: internal, error: new NotConnectedError(cluster.metadata.name ?? "") };
  }
  const errors: unknown[] = [];
  let resources = resourcesIn(found, set);
  for (const [reference, data] of read.data) {
    const known = resources.find((one) => isSame(one, reference));
    const applied = await applyOne(set, { reference, data, known }, { client, ...dependencies });
    if (!applied) continue;
    if (applied.error) errors.push(applied.error);
    resources = known
      ? resources.map((one) => (one === known ? applied.binding : one))
      : [...resources, applied.binding];
  }
  const bound = withSet(found, set, resources);
  await dependencies.commitBinding(found, bound, { optimisticLock: true });
  if (errors.length === 0) return { finding: isTrue("Applied") };
  const message = "Failed to apply ClusterResourceSet resources to Cluster";
  return { finding: isFalse("NotApplied", message), error: oneError(errors) };
}

/** What is not there is left out: it may still come. */
async function readAll(
  set: ClusterResourceSet,
  { getData, commitData }: ResourceSetDependencies,
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
  { getBinding, createBinding }: ResourceSetDependencies,
): Promise<Binding> {
  const { name = "", namespace = "" } = metadata;
  const found = await getBinding({ name, namespace });
  if (found) return found;
  return createBinding({
    apiVersion: "addons.cluster.x-k8s.io/v1beta2",
    kind: "ClusterResourceSetBinding",
    metadata: { name, namespace, ownerReferences: [ownerReferenceTo(set)] },
    spec: { clusterName: name },
  });
}

function resourcesIn({ spec }: Binding, { metadata }: ClusterResourceSet): readonly Applied[] {
  const own = spec.bindings?.find((one) => one.clusterResourceSetName === metadata.name);
  return own?.resources ?? [];
}

/** The binding with what it says of a set. */
function withSet(
  binding: Binding,
  set: ClusterResourceSet,
  resources: readonly Applied[],
): Binding {
  const clusterResourceSetName = set.metadata.name ?? "";
  const own = { clusterResourceSetName, ...(resources.length > 0 && { resources }) };
  const before = binding.spec.bindings ?? [];
  const index = before.findIndex((one) => one.clusterResourceSetName === clusterResourceSetName);
  const bindings = index < 0 ? [...before, own] : before.with(index, own);
  const owned = hasOwnerReference(binding, set) ? binding : withOwnerReference(binding, set);
  return { ...owned, spec: { ...binding.spec, bindings } };
}

function isSame(left: ResourceReference, right: ResourceReference): boolean {
  return left.kind === right.kind && left.name === right.name;
}

interface One {
  readonly reference: ResourceReference;
  readonly data: DataObject;
  readonly known: Applied | undefined;
}

/** Undefined where there is nothing to do. */
async function applyOne(
  { spec }: ClusterResourceSet,
  { reference, data, known }: One,
  { client, clock }: Pick<ResourceSetDependencies, "clock"> & { readonly client: Client },
): Promise<{ readonly binding: Applied; readonly error?: unknown } | undefined> {
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
