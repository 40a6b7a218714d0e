import type { NestedAPIServer } from "@rookery/api";
import { type Clock, isTrue, parseTime } from "@rookery/kube";
import type { Parent } from "../../component/parent.ts";
import type { Report } from "../../component/report.ts";
import type { Pod } from "../../manifests/kinds.ts";
import { selectorLabels } from "../../names.ts";
import { pods } from "../../resources.ts";
import type { ApiServerScope } from "../scope.ts";

const shortestWait = 0.1;
const longestWait = 5;

/**
 * Probes the pods of an API server that was never ready, with a growing interval, because a kubelet probes up
 * to two seconds later. Once it was ready, the kubelets decide.
 */
export async function probePods(
  apiServer: NestedAPIServer,
  report: Report,
  {
    parent: { namespace, cluster },
    list,
    probePod,
    clock,
  }: Pick<ApiServerScope, "list" | "probePod" | "clock"> & { readonly parent: Parent },
): Promise<Report> {
  if (apiServer.status?.version || report.ready.reason !== "WaitingForPods") return report;
  const found = await list<Pod>(pods, namespace, selectorLabels(cluster, "apiserver"));
  const started = found.filter(
    ({ status, metadata }) => status?.podIP && !metadata.deletionTimestamp,
  );
  if (started.length === 0) return report;
  const answers = await Promise.all(started.map(({ status }) => probePod(status?.podIP ?? "")));
  if (answers.includes(true)) return { ...report, ready: isTrue("Ready") };
  return { ...report, retryAfter: waitFor(started, clock) };
}

function waitFor(started: readonly Pod[], clock: Clock): number {
  const made = started.flatMap(({ metadata: { creationTimestamp } }) =>
    creationTimestamp ? [parseTime(creationTimestamp).getTime()] : [],
  );
  const age = (clock().getTime() - Math.max(...made)) / 1000;
  return Math.min(longestWait, Math.max(shortestWait, age / 20));
}
