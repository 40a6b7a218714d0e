import { startNode } from "@rookery/testing";
import { ends } from "./workloads-day/ends.ts";
import { jobs } from "./workloads-day/jobs.ts";
import { playDay } from "./workloads-day/play-day.ts";
import { pods } from "./workloads-day/pods.ts";
import { rollouts, services } from "./workloads-day/rollouts.ts";

playDay("kubectl's day with workloads, on a real node and on the embedded one", {
  namespace: "workloads-day",
  typed: [...rollouts, ...services, ...pods, ...jobs, ...ends],
  startNode: () => startNode({ shared: true }),
});
