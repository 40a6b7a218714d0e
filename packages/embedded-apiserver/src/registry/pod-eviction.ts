import type { Eviction, Pod } from "@rookery/api";
import {
  type CreateRequest,
  type DeleteOptions,
  opaqueSchema,
  type ServedSubresource,
  unclassifiedError,
} from "@rookery/apiserver";
import {
  badRequestError,
  conflictError,
  deepEqual,
  FieldError,
  fieldPath,
  invalidError,
  isConflict,
  type KubeObject,
  type Status,
  withPodCondition,
} from "@rookery/kube";
import { retryOnStale } from "../store/store.ts";
import { deleteObject } from "./delete-object.ts";
import { type Disruption, disruptionOf, stillProcessed } from "./disruption-budgets.ts";
import { existingEntry, keyOf } from "./get-object.ts";
import { ObjectVersions } from "./object-versions.ts";
import { success } from "./pod-binding.ts";
import { describeMismatch, unmetPrecondition } from "./preconditions.ts";
import type { StorageOptions } from "./storage-options.ts";
import { storedForm } from "./stored-form.ts";

const evictionKind = { group: "policy", version: "v1", kind: "Eviction" };
const attempts = 20;

/** pods/eviction. */
export function servedEviction(
  options: StorageOptions,
  decode: ServedSubresource["decode"],
): ServedSubresource {
  return {
    kind: evictionKind,
    model: "io.k8s.api.policy.v1.Eviction",
    schema: opaqueSchema,
    handlers: { create: (request) => evictPod(request, options) },
    strategy: {
      prepareForCreate(object, { name }) {
        assertEviction(object, name);
        return object;
      },
    },
    ...(decode && { decode }),
  };
}

function assertEviction(object: KubeObject, name: string): void {
  if (name !== (object.metadata.name ?? "")) {
    throw badRequestError("name in URL does not match name in Eviction object");
  }
  const field = "ignoreStoreReadErrorWithClusterBreakingPotential";
  const given = (object as Eviction).deleteOptions as Readonly<Record<string, unknown>> | undefined;
  if (given?.[field] !== true) return;
  const detail = "can not be set for pod eviction, try after removing the option";
  const problem = FieldError.invalid(fieldPath("deleteOptions", field), true, detail);
  throw invalidError(evictionKind, name, [problem]);
}

interface PodEviction {
  readonly request: CreateRequest;
  readonly storage: StorageOptions;
  readonly wanted: DeleteOptions;
}

/** Deletes a pod without a budget, or takes a disruption from its budget first. */
async function evictPod(request: CreateRequest, storage: StorageOptions): Promise<Status> {
  const wanted = deleteOptionsOf(request);
  const eviction = { request, storage, wanted };
  if (await evictUncounted(eviction)) return success;
  const pod = existingEntry(request, storage).object as Pod;
  const dryRun = wanted.dryRun.length > 0;
  const disruption = await disruptionOf(pod, { store: storage.store, now: storage.now, dryRun });
  if (disruption.kind === "ambiguous") return disruption.status;
  await evictCounted(pod, disruption, eviction);
  return success;
}

/** dryRun may be set in the query or in the body. */
function deleteOptionsOf({ object, options }: CreateRequest): DeleteOptions {
  const given = ((object as Eviction).deleteOptions ?? {}) as Partial<DeleteOptions>;
  const own = given.dryRun ?? [];
  if (own.length > 0 && options.dryRun.length > 0 && !deepEqual(own, options.dryRun)) {
    const shown = [options.dryRun, own].map((list) => `[${list.join(" ")}]`).join(" and ");
    throw unclassifiedError(`Non-matching dry-run options in request and content: ${shown}`);
  }
  return { ...given, dryRun: own.length > 0 ? own : options.dryRun };
}

/** Deletes a pod that no budget counts; false for any other pod. */
async function evictUncounted(eviction: PodEviction): Promise<boolean> {
  const { request, storage, wanted } = eviction;
  for (let attempt = 1; ; attempt++) {
    const pod = existingEntry(request, storage).object as Pod;
    if (!isUncounted(pod)) return false;
    try {
      await deletePod(isOver(pod) ? wanted : atVersionOf(pod, wanted), eviction);
      return true;
    } catch (error) {
      // The pod has changed, and a budget may count it now.
      const mayRetry = wanted.preconditions?.resourceVersion === undefined;
      if (!isConflict(error) || !mayRetry || attempt === attempts) throw error;
    }
  }
}

async function evictCounted(
  pod: Pod,
  disruption: Disruption & { kind: "free" | "unhealthy" },
  eviction: PodEviction,
): Promise<void> {
  const { wanted } = eviction;
  if (disruption.kind === "free") return deletePod(wanted, eviction);
  try {
    await deletePod(atVersionOf(pod, wanted), eviction);
  } catch (error) {
    const isOurs = wanted.preconditions?.resourceVersion === undefined;
    if (isOurs && isConflict(error)) throw stillProcessed(disruption.budget);
    throw error;
  }
}

function atVersionOf({ metadata }: Pod, wanted: DeleteOptions): DeleteOptions {
  const { resourceVersion = "" } = metadata ?? {};
  return { ...wanted, preconditions: { resourceVersion, ...wanted.preconditions } };
}

async function deletePod(wanted: DeleteOptions, eviction: PodEviction): Promise<void> {
  const { request, storage } = eviction;
  const options = wanted.dryRun.length > 0 ? wanted : await announce(wanted, eviction);
  const remove = deleteObject(storage, new ObjectVersions(storage));
  await remove({ ...request, options, admit: async () => {} });
}

/** Sets the condition DisruptionTarget; the returned options name the pod's new version. */
function announce(wanted: DeleteOptions, { request, storage }: PodEviction) {
  const key = keyOf(request, storage);
  return retryOnStale(async (): Promise<DeleteOptions> => {
    const entry = existingEntry(request, storage);
    assertPreconditions(wanted, entry.object);
    const object = announced(entry.object as Pod, storage);
    const { revision } = deepEqual(object, entry.object)
      ? entry
      : await storage.store.write({ ...key, expected: entry.revision, object });
    const { preconditions } = wanted;
    if (preconditions?.resourceVersion === undefined) return wanted;
    return { ...wanted, preconditions: { ...preconditions, resourceVersion: `${revision}` } };
  });
}

function announced(pod: Pod, { now }: StorageOptions): KubeObject {
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  };
  const conditions = withPodCondition(pod.status?.conditions, condition, now);
  return storedForm({ ...pod, status: { ...pod.status, conditions } } as KubeObject);
}

function assertPreconditions({ preconditions = {} }: DeleteOptions, pod: KubeObject): void {
  const { uid, resourceVersion } = preconditions;
  const wanted = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
  const unmet = unmetPrecondition(wanted, pod);
  if (!unmet) return;
  const resource = { group: "", resource: "Pod" };
  throw conflictError(resource, pod.metadata.name ?? "", describeMismatch(unmet));
}

function isOver({ metadata, status }: Pod): boolean {
  const { phase = "" } = status ?? {};
  return ["Succeeded", "Failed"].includes(phase) || metadata?.deletionTimestamp !== undefined;
}

/** Budgets count running pods. */
function isUncounted(pod: Pod): boolean {
  return isOver(pod) || pod.status?.phase === "Pending";
}
