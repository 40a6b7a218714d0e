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
import { type Scope, tell, warn } from "./workload-context.ts";

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
 * Creates a pod and tells of it. In a namespace that ends nothing can be created, which is no
 * failure; any other rejects with what the API says.
 */
export async function createPod(
  owner: Stored,
  pod: ReturnType<typeof podOf>,
  scope: Scope,
): Promise<void> {
  try {
    const created = await writerOf(scope, kinds.pods).create(pod);
    tell(scope, owner, "SuccessfulCreate", `Created pod: ${created.metadata.name}`);
  } catch (error) {
    if (findStatusCause(error, "NamespaceTerminating")) return;
    warn(scope, owner, "FailedCreate", `Error creating: ${messageOf(error)}`);
    throw error;
  }
}

/** Deletes a pod and tells of it; one that has gone already is passed over. */
export async function deletePod(owner: Stored, pod: Pod, scope: Scope): Promise<void> {
  try {
    await writerOf(scope, kinds.pods).delete(pod);
    tell(scope, owner, "SuccessfulDelete", `Deleted pod: ${pod.metadata.name}`);
  } catch (error) {
    // With another uid it is another pod by now.
    if (isNotFound(error) || isConflict(error)) return;
    warn(scope, owner, "FailedDelete", `Error deleting: ${messageOf(error)}`);
    throw new Error(`unable to delete pods: ${messageOf(error)}`, { cause: error });
  }
}
