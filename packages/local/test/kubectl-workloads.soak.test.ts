import { startNode } from "@rookery/testing";
import { ends } from "./workloads-day/ends.ts";
import { jobs } from "./workloads-day/jobs.ts";
import { maintenance } from "./workloads-day/maintenance.ts";
import { playDay } from "./workloads-day/play-day.ts";
import { crashes, pods } from "./workloads-day/pods.ts";
import { rollouts, services } from "./workloads-day/rollouts.ts";

playDay("kubectl's whole day with workloads, on a real node and on the embedded one", {
  namespace: "whole-workloads-day",
  typed: [...rollouts, ...services, ...pods, ...crashes, ...jobs, ...maintenance, ...ends],
  // Its only node is drained: nobody else may have pods there.
  startNode: () => startNode({ dns: true }),
});
