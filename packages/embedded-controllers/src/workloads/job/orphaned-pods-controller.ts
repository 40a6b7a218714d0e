import { controllerOf } from "@rookery/kube";
import {
  type Controller,
  createController,
  createStoreSource,
  done,
  type Request,
  requestForEntry,
} from "@rookery/runtime";
import { findObject, kinds } from "../shared/kinds.ts";
import type { Pod } from "../shared/objects.ts";
import type { WorkloadContext } from "../shared/workload-context.ts";
import { untrack } from "./job-pods.ts";
import { isFinished, isManagedByOthers, isTracked } from "./job-state.ts";

/** Lets pods go that nobody will count: their job has gone, or has let them go, or is finished. */
export function createOrphanedPodsController(context: WorkloadContext): Controller {
  const { store, pods } = context;
  return createController({
    name: "job-orphaned-pods",
    logger: context.logger,
    sources: [
      createStoreSource({
        store,
        resource: kinds.pods.stored,
        requestsOf: (entry) => (isTracked(entry.object as Pod) ? requestForEntry(entry) : []),
      }),
      createStoreSource({
        store,
        resource: kinds.jobs.stored,
        requestsOf: ({ object }): Request[] =>
          pods
            .of(object)
            .filter(isTracked)
            .map(({ metadata }) => ({
              namespace: metadata.namespace ?? "",
              name: metadata.name ?? "",
            })),
      }),
    ],
    reconcile: async (key, signal) => {
      const pod = findObject(store, kinds.pods, key);
      if (pod === undefined || !isTracked(pod) || isCounted(pod, context)) return done;
      await untrack(pod, { context, signal, recorder: context.recorder("job-controller") });
      return done;
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
