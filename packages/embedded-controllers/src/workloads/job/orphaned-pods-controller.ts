import { controllerOf, objectKeyOf } from "@rookery/kube";
import { type Controller, requestForEntry } from "@rookery/runtime";
import { createStoreController } from "../../context/store-controller.ts";
import { findObject, kinds } from "../shared/kinds.ts";
import type { Pod } from "../shared/objects.ts";
import type { WorkloadContext } from "../shared/workload-context.ts";
import { untrack } from "./job-pods.ts";
import { isFinished, isManagedByOthers, isTracked } from "./job-state.ts";

/** Removes the finalizer of pods that no job counts: it is gone, is finished, or released them. */
export function createOrphanedPodsController(context: WorkloadContext): Controller {
  const { store, pods } = context;
  return createStoreController(context, {
    name: "job-orphaned-pods",
    watches: {
      [kinds.pods.stored]: (entry) =>
        isTracked(entry.object as Pod) ? requestForEntry(entry) : [],
      [kinds.jobs.stored]: ({ object }) => pods.of(object).filter(isTracked).map(objectKeyOf),
    },
    reconcile: async (key, signal) => {
      const pod = findObject(store, kinds.pods, key);
      if (pod === undefined || !isTracked(pod) || isCounted(pod, context)) return;
      await untrack(pod, { context, signal, recorder: context.recorder("job-controller") });
    },
  });
}

/** Whether a job sees to the pod. */
function isCounted(pod: Pod, { store }: WorkloadContext): boolean {
  const controller = controllerOf(pod);
  if (controller === undefined) return false;
  if (controller.kind !== "Job" || controller.apiVersion !== "batch/v1") return true;
  const { namespace = "" } = pod.metadata;
  const job = findObject(store, kinds.jobs, { namespace, name: controller.name });
  if (job === undefined || job.metadata.uid !== controller.uid) return false;
  return isManagedByOthers(job) || !isFinished(job);
}
