import { join } from "node:path";
import { componentEnvironment } from "../kubernetes/environment.ts";
import { type Child, startChild } from "../process/child.ts";

export interface KubeSchedulerOptions {
  readonly binary: string;
  readonly kubeconfig: string;
  readonly logs: string;
}

export function startKubeScheduler(options: KubeSchedulerOptions): Promise<Child> {
  return startChild({
    name: "kube-scheduler",
    command: options.binary,
    args: [
      `--kubeconfig=${options.kubeconfig}`,
      `--authentication-kubeconfig=${options.kubeconfig}`,
      `--authorization-kubeconfig=${options.kubeconfig}`,
      "--leader-elect=false",
      "--secure-port=0",
    ],
    env: componentEnvironment(),
    log: join(options.logs, "kube-scheduler.log"),
  });
}
