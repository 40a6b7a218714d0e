import { after } from "node:test";
import { type Kubernetes, startKubernetes } from "@rookery/testing";
import { controllerRevisionKind } from "../../src/kinds/apps/controller-revision.ts";
import { daemonSetKind } from "../../src/kinds/apps/daemon-set.ts";
import { deploymentKind } from "../../src/kinds/apps/deployment.ts";
import { replicaSetKind } from "../../src/kinds/apps/replica-set.ts";
import { statefulSetKind } from "../../src/kinds/apps/stateful-set.ts";
import { cronJobKind } from "../../src/kinds/batch/cron-job.ts";
import { jobKind } from "../../src/kinds/batch/job.ts";
import { leaseKind } from "../../src/kinds/coordination/lease.ts";
import type { BuiltInKind } from "../../src/kinds/declaration/kind.ts";
import { endpointSliceKind } from "../../src/kinds/discovery/endpoint-slice.ts";
import { eventKind } from "../../src/kinds/events/event.ts";
import { networkPolicyKind } from "../../src/kinds/networking/network-policy.ts";
import { podDisruptionBudgetKind } from "../../src/kinds/policy/pod-disruption-budget.ts";
import { priorityClassKind } from "../../src/kinds/scheduling/priority-class.ts";
import { storageClassKind } from "../../src/kinds/storage/storage-class.ts";
import { volumeAttachmentKind } from "../../src/kinds/storage/volume-attachment.ts";
import { coreKind } from "./core/core-kind.ts";
import { claimRows } from "./core/rows/storage-rows.ts";
import { compareKind, type DifferentialOptions } from "./kind-differential.ts";
import { cronJobRows } from "./rows/cron-job-rows.ts";
import { jobChangeRows, jobRows, jobStatusRows } from "./rows/job-kinds-rows.ts";
import { endpointSliceRows, eventRows, networkPolicyRows } from "./rows/network-kinds-rows.ts";
import {
  controllerRevisionRows,
  leaseRows,
  podDisruptionBudgetChangeRows,
  podDisruptionBudgetRows,
  priorityClassRows,
  storageClassRows,
} from "./rows/small-kinds-rows.ts";
import { volumeAttachmentRows } from "./rows/volume-attachment-rows.ts";
import {
  daemonSetRows,
  deploymentRows,
  replicaSetRows,
  statefulSetRows,
} from "./rows/workload-kinds-rows.ts";

/** One without controllers, which would write the status of what is compared. */
let started: Promise<Kubernetes> | undefined;

async function start(): Promise<Kubernetes> {
  started ??= startKubernetes({ controllerManager: false });
  return { ...(await started), [Symbol.asyncDispose]: async () => {} };
}

after(async () => (await started)?.[Symbol.asyncDispose]());

const uid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The uid of a job is in its labels and in its selector. */
function withoutUids(object: Record<string, unknown>): void {
  Object.assign(object, JSON.parse(JSON.stringify(object).replaceAll(uid, "uid")));
}

function compare<T extends object>(
  kind: BuiltInKind<T>,
  options: Omit<DifferentialOptions, "start">,
): void {
  compareKind(kind as unknown as BuiltInKind, { ...options, start });
}

compare(leaseKind, { rows: leaseRows });
compare(coreKind("PersistentVolumeClaim"), { rows: claimRows });
compare(priorityClassKind, { rows: priorityClassRows });
compare(storageClassKind, { rows: storageClassRows });
compare(volumeAttachmentKind, { rows: volumeAttachmentRows });
compare(podDisruptionBudgetKind, {
  rows: { ...podDisruptionBudgetRows, ...podDisruptionBudgetChangeRows },
});
compare(controllerRevisionKind, { rows: controllerRevisionRows });
compare(networkPolicyKind, { rows: networkPolicyRows });
compare(endpointSliceKind({}), { rows: endpointSliceRows });
compare(eventKind, { rows: eventRows, volatileColumns: ["Last Seen", "First Seen"] });
compare(deploymentKind, { rows: deploymentRows });
compare(replicaSetKind, { rows: replicaSetRows });
compare(statefulSetKind, { rows: statefulSetRows });
compare(daemonSetKind, { rows: daemonSetRows });
compare(jobKind, {
  rows: { ...jobRows, ...jobChangeRows, ...jobStatusRows },
  normalize: withoutUids,
  volatileColumns: ["Selector"],
});
compare(cronJobKind, { rows: cronJobRows });
