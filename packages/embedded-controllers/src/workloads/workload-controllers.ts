import type { Runnable } from "@rookery/runtime";
import { createCoreEventBroadcaster } from "@rookery/runtime";
import type { ControllerContext } from "../context/context.ts";
import { createCronJobController } from "./cron-job/cron-job-controller.ts";
import { createDaemonSetController } from "./daemon-set/daemon-set-controller.ts";
import { createDeploymentController } from "./deployment/deployment-controller.ts";
import { createFinishedJobsController } from "./job/finished-jobs-controller.ts";
import { createJobController } from "./job/job-controller.ts";
import { createOrphanedPodsController } from "./job/orphaned-pods-controller.ts";
import { createReplicaSetController } from "./replica-set/replica-set-controller.ts";
import { Dependents } from "./shared/dependents.ts";
import { kinds } from "./shared/kinds.ts";
import type { WorkloadContext } from "./shared/workload-context.ts";
import { createStatefulSetController } from "./stateful-set/stateful-set-controller.ts";

/** The controllers of what runs pods, and what they have in common; to be started in this order. */
export function createWorkloadControllers(context: ControllerContext): Runnable[] {
  const { store } = context;
  const broadcaster = createCoreEventBroadcaster(context);
  const workloads: WorkloadContext = {
    ...context,
    pods: new Dependents(store, kinds.pods),
    replicaSets: new Dependents(store, kinds.replicaSets),
    revisions: new Dependents(store, kinds.revisions),
    recorder: (name) => broadcaster.recorder(name),
  };
  return [
    dependentsOf(workloads),
    broadcaster,
    createDeploymentController(workloads),
    createReplicaSetController(workloads),
    createStatefulSetController(workloads),
    createDaemonSetController(workloads),
    createJobController(workloads),
    createOrphanedPodsController(workloads),
    createFinishedJobsController(workloads),
    createCronJobController(workloads),
  ];
}

function dependentsOf({ pods, replicaSets, revisions }: WorkloadContext): Runnable {
  return {
    name: "dependents",
    async start(signal) {
      for (const dependents of [pods, replicaSets, revisions]) dependents.start(signal);
    },
  };
}
