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

/** Deletes a pod without a budget, or takes a disruption from its budget first. */
async function evictPod(request: CreateRequest, options: StorageOptions): Promise<Status> {
  const wanted = deleteOptionsOf(request);
  const evict = new PodEviction(request, options, wanted);
  if (await evict.unguarded()) return success;
  const pod = existingEntry(request, options).object as Pod;
  const dryRun = wanted.dryRun.length > 0;
  const disruption = await disruptionOf(pod, { store: options.store, now: options.now, dryRun });
  if (disruption.kind === "ambiguous") return disruption.status;
  await evict.guarded(pod, disruption);
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

class PodEviction {
  readonly #request: CreateRequest;
  readonly #options: StorageOptions;
  readonly #wanted: DeleteOptions;

  constructor(request: CreateRequest, options: StorageOptions, wanted: DeleteOptions) {
    this.#request = request;
    this.#options = options;
    this.#wanted = wanted;
  }

  /** Deletes a pod that no budget counts; false for any other pod. */
  async unguarded(): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      const pod = existingEntry(this.#request, this.#options).object as Pod;
      if (!isUncounted(pod)) return false;
      try {
        await this.#delete(isOver(pod) ? this.#wanted : this.#atVersionOf(pod));
        return true;
      } catch (error) {
        // The pod has changed, and a budget may count it now.
        const mayRetry = this.#wanted.preconditions?.resourceVersion === undefined;
        if (!isConflict(error) || !mayRetry || attempt === attempts) throw error;
      }
    }
  }

  async guarded(pod: Pod, disruption: Disruption & { kind: "free" | "unhealthy" }): Promise<void> {
    if (disruption.kind === "free") return this.#delete(this.#wanted);
    try {
      await this.#delete(this.#atVersionOf(pod));
    } catch (error) {
      const isOurs = this.#wanted.preconditions?.resourceVersion === undefined;
      if (isOurs && isConflict(error)) throw stillProcessed(disruption.budget);
      throw error;
    }
  }

  #atVersionOf({ metadata }: Pod): DeleteOptions {
    const { resourceVersion = "" } = metadata ?? {};
    const given = this.#wanted.preconditions;
    return { ...this.#wanted, preconditions: { resourceVersion, ...given } };
  }

  async #delete(wanted: DeleteOptions): Promise<void> {
    const options = wanted.dryRun.length > 0 ? wanted : await this.#announce(wanted);
    const remove = deleteObject(this.#options, new ObjectVersions(this.#options));
    await remove({ ...this.#request, options, admit: async () => {} });
  }

  /** Sets the condition DisruptionTarget; the returned options name the pod's new version. */
  #announce(wanted: DeleteOptions): Promise<DeleteOptions> {
    const key = keyOf(this.#request, this.#options);
    return retryOnStale(async () => {
      const entry = existingEntry(this.#request, this.#options);
      assertPreconditions(wanted, entry.object);
      const object = announced(entry.object as Pod, this.#options);
      const { revision } = deepEqual(object, entry.object)
        ? entry
        : await this.#options.store.write({ ...key, expected: entry.revision, object });
      const { preconditions } = wanted;
      if (preconditions?.resourceVersion === undefined) return wanted;
      return { ...wanted, preconditions: { ...preconditions, resourceVersion: `${revision}` } };
    });
  }
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
