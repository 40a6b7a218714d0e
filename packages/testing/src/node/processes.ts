import { join } from "node:path";
import type { Binaries } from "../binaries/binaries.ts";
import type { ControlPlane } from "../kubernetes/control-plane.ts";
import { freePort } from "../kubernetes/ports.ts";
import type { Child } from "../process/child.ts";
import { nodeCgroup } from "./claim-machine.ts";
import { writeNodeCredentials } from "./credentials.ts";
import { startKubeProxy } from "./kube-proxy.ts";
import { startKubeScheduler } from "./kube-scheduler.ts";
import { startKubelet } from "./kubelet.ts";
import { nodeNetwork } from "./network.ts";

/** The name of the only node. */
export const nodeName = "rookery-node";

export interface NodeProcesses extends AsyncDisposable {
  readonly children: readonly Child[];
  /** From now on no new pod gets to the node. */
  stopScheduling(): Promise<void>;
}

export interface NodeProcessesOptions {
  readonly folder: string;
  readonly controlPlane: ControlPlane;
  readonly binaries: Binaries<"kubelet" | "kube-proxy" | "kube-scheduler">;
  /** The address of the cluster's DNS, where it has one. */
  readonly dns?: string | undefined;
  readonly syncSeconds?: number | undefined;
}

/** Starts what makes a machine with a containerd a node, and the scheduler that gives it pods. */
export async function startNodeProcesses(options: NodeProcessesOptions): Promise<NodeProcesses> {
  const { folder, binaries, controlPlane } = options;
  const { files, server } = controlPlane;
  const { address } = nodeNetwork;
  const logs = join(folder, "logs");
  const node = { folder, name: nodeName, address, server };
  const { kubeconfigs, serving } = await writeNodeCredentials(node, files);
  await using stack = new AsyncDisposableStack();
  const start = async (starting: Promise<Child>) => {
    const child = await starting;
    stack.defer(() => child.kill());
    return child;
  };
  const kubelet = await start(
    startKubelet({
      binary: binaries.kubelet,
      folder,
      logs,
      kubeconfig: kubeconfigs.kubelet,
      nodeName,
      address,
      port: await freePort(address),
      cgroup: nodeCgroup,
      clientCa: files.crt("ca"),
      certificate: serving,
      dns: options.dns,
      syncSeconds: options.syncSeconds,
    }),
  );
  const part = (name: "kube-proxy" | "kube-scheduler") => ({
    binary: binaries[name],
    kubeconfig: kubeconfigs[name],
    folder,
    logs,
    nodeName,
  });
  const proxy = await start(startKubeProxy(part("kube-proxy")));
  const scheduler = await start(startKubeScheduler(part("kube-scheduler")));
  const owned = stack.move();
  return {
    children: [kubelet, proxy, scheduler],
    stopScheduling: () => scheduler.kill(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
