import type { PodTemplateSpec } from "@rookery/api";
import { messageOf } from "@rookery/errors";
import {
  controllerReferenceTo,
  findStatusCause,
  isConflict,
  isNotFound,
  type ObjectMeta,
} from "@rookery/kube";
import { kinds } from "./kinds.ts";
import { writerOf } from "./object-writer.ts";
import type { Pod, Stored } from "./objects.ts";
import { emit, type Scope, warn } from "./workload-context.ts";

/** The pod that a template describes, with its controller. */
export function podOf(owner: Stored, template: PodTemplateSpec, metadata: ObjectMeta = {}) {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: `${owner.metadata.name}-`,
      namespace: owner.metadata.namespace ?? "",
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ownerReferences: [controllerReferenceTo(owner)],
      ...metadata,
    },
    spec: template.spec ?? {},
  };
}

/**
 * Creates a pod and records an event. A namespace that is being deleted is no failure; other errors of
 * the API are.
 */
export async function createPod(
  owner: Stored,
  pod: ReturnType<typeof podOf>,
  scope: Scope,
): Promise<void> {
  try {
    const created = await writerOf(scope, kinds.pods).create(pod);
    emit(scope, owner, "SuccessfulCreate", `Created pod: ${created.metadata.name}`);
  } catch (error) {
    if (findStatusCause(error, "NamespaceTerminating")) return;
    warn(scope, owner, "FailedCreate", `Error creating: ${messageOf(error)}`);
    throw error;
  }
}

/** Deletes a pod and records an event; a pod that is gone is no failure. */
export async function deletePod(owner: Stored, pod: Pod, scope: Scope): Promise<void> {
  try {
    await writerOf(scope, kinds.pods).delete(pod);
    emit(scope, owner, "SuccessfulDelete", `Deleted pod: ${pod.metadata.name}`);
  } catch (error) {
    // With another uid it is another pod by now.
    if (isNotFound(error) || isConflict(error)) return;
    warn(scope, owner, "FailedDelete", `Error deleting: ${messageOf(error)}`);
    throw new Error(`unable to delete pods: ${messageOf(error)}`, { cause: error });
  }
}
