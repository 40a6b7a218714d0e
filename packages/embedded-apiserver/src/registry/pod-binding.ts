import type { Binding, Pod } from "@rookery/api";
import {
  type CreateRequest,
  opaqueSchema,
  type ResourceStrategy,
  type ServedResource,
  type ServedSubresource,
  unclassifiedError,
} from "@rookery/apiserver";
import {
  aggregateMessages,
  badRequestError,
  conflictError,
  deepEqual,
  FieldError,
  fieldPath,
  type KubeObject,
  notFoundError,
  quote,
  type Status,
  type StatusError,
  withPodCondition,
} from "@rookery/kube";
import { retryOnStale } from "../store/store.ts";
import { keyOf } from "./get-object.ts";
import { storageFailure, unmetPrecondition } from "./preconditions.ts";
import type { StorageOptions } from "./storage-options.ts";
import { storedForm } from "./stored-form.ts";

const pods = { group: "", resource: "pods" };

/** The common parts of pods/binding and the legacy bindings resource. */
export function servedBinding(
  options: StorageOptions,
  decode: ServedSubresource["decode"],
): ServedSubresource {
  return {
    kind: { group: "", version: "v1", kind: "Binding" },
    model: "io.k8s.api.core.v1.Binding",
    schema: opaqueSchema,
    keepsSystemFields: true,
    handlers: { create: (request) => bindPod(request, options) },
    strategy: bindingStrategy,
    ...(decode && { decode }),
  };
}

/** The legacy resource "bindings", where the Binding itself names the pod. */
export function bindingsOf({ subresources }: ServedResource): ServedResource {
  const binding = subresources?.binding;
  if (binding === undefined) throw new TypeError("pods are served without their binding");
  const { handlers, strategy, model, decode } = binding;
  return {
    plural: "bindings",
    singular: "binding",
    kind: "Binding",
    namespaced: true,
    schema: opaqueSchema,
    supportsDryRun: true,
    handlers,
    ...(strategy && { strategy }),
    ...(model && { model }),
    ...(decode && { decode }),
  };
}

/** Kubernetes reports an invalid Binding as a 500 without details. */
const bindingStrategy: ResourceStrategy = {
  prepareForCreate(object, { name, info }) {
    if (info.subresource !== "" && name !== (object.metadata.name ?? "")) {
      throw badRequestError("name in URL does not match name in Binding object");
    }
    const problems = validateBinding(object as unknown as Binding);
    if (problems.length > 0) throw unclassifiedError(aggregateMessages(problems));
    return object;
  },
};

function validateBinding({ target = {} }: Binding): FieldError[] {
  const { kind = "", name = "" } = target;
  const path = fieldPath("target");
  const isNode = kind === "" || kind === "Node";
  return [
    ...(isNode ? [] : [FieldError.notSupported(path.child("kind"), kind, ["Node", "<empty>"])]),
    ...(name === "" ? [FieldError.required(path.child("name"), "")] : []),
  ];
}

/** Binds a pod to a node; retries on concurrent writes of the pod. */
async function bindPod(request: CreateRequest, options: StorageOptions): Promise<Status> {
  const name = request.object.metadata.name ?? "";
  if (name === "") throw badRequestError("Name parameter required.");
  const key = keyOf({ ...request, name }, options);
  return retryOnStale(async () => {
    const entry = options.store.get(key);
    if (entry === undefined) throw notFoundError(pods, name);
    assertPreconditions(request.object, entry.object, options);
    const object = boundPod(entry.object, request.object, options);
    if (request.options.dryRun.length > 0 || deepEqual(object, entry.object)) return success;
    await options.store.write({ ...key, expected: entry.revision, object });
    return success;
  });
}

export const success = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Success",
  code: 201,
} as const satisfies Status;

function assertPreconditions(
  { metadata: { uid, resourceVersion } }: KubeObject,
  pod: KubeObject,
  { rules: { storagePrefix = "" } }: StorageOptions,
): void {
  const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
  const unmet = unmetPrecondition(preconditions, pod);
  if (!unmet) return;
  const { name = "", namespace = "" } = pod.metadata;
  throw conflictError(pods, name, storageFailure(`${storagePrefix}/${namespace}/${name}`, unmet));
}

function boundPod(current: KubeObject, binding: KubeObject, options: StorageOptions): KubeObject {
  const { spec = {}, status = {} } = current as Pod;
  const { name = "", deletionTimestamp } = current.metadata;
  const { target } = binding as unknown as Binding;
  if (deletionTimestamp !== undefined) {
    throw refused(name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if (spec.nodeName) {
    throw refused(name, `pod ${name} is already assigned to node ${quote(spec.nodeName)}`);
  }
  if ((spec.schedulingGates ?? []).length > 0) {
    throw refused(name, `pod ${name} has non-empty .spec.schedulingGates`);
  }
  const annotations = { ...current.metadata.annotations, ...binding.metadata.annotations };
  const scheduled = { type: "PodScheduled", status: "True" };
  return storedForm({
    ...current,
    metadata: { ...current.metadata, annotations },
    spec: { ...spec, nodeName: target?.name },
    status: { ...status, conditions: withPodCondition(status.conditions, scheduled, options.now) },
  } as KubeObject);
}

function refused(name: string, why: string): StatusError {
  return conflictError({ group: "", resource: "pods/binding" }, name, why);
}
