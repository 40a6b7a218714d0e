import { type Controller, isBeingDeleted, requestForEntry, requeueAfter } from "@rookery/runtime";
import { createStoreController } from "../../context/store-controller.ts";
import { findObject, kinds } from "../shared/kinds.ts";
import type { Job } from "../shared/objects.ts";
import type { WorkloadContext } from "../shared/workload-context.ts";

/** Deletes finished jobs that shall not stay. */
export function createFinishedJobsController(context: WorkloadContext): Controller {
  const { store, client, now } = context;
  return createStoreController(context, {
    name: "ttl-after-finished-controller",
    watches: { [kinds.jobs.stored]: requestForEntry },
    reconcile: async (key, signal) => {
      const job = findObject(store, kinds.jobs, key);
      const left = job && secondsLeft(job, now());
      if (job === undefined || left === undefined) return undefined;
      if (left > 0) return requeueAfter(left);
      const { uid = "" } = job.metadata;
      const options = { propagationPolicy: "Foreground", preconditions: { uid } } as const;
      await client.resource(kinds.jobs.resource).delete(key, { ...options, signal });
      return undefined;
    },
  });
}

/** Undefined where it stays. */
function secondsLeft(job: Job, now: Date): number | undefined {
  const { ttlSecondsAfterFinished } = job.spec;
  const end = job.status.conditions?.find(
    ({ type, status }) => (type === "Complete" || type === "Failed") && status === "True",
  );
  const isKept = ttlSecondsAfterFinished === undefined || end?.lastTransitionTime === undefined;
  if (isKept || isBeingDeleted(job)) return undefined;
  const age = (now.getTime() - Date.parse(end.lastTransitionTime ?? "")) / 1000;
  return ttlSecondsAfterFinished - age;
}
