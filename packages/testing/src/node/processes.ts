import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Binaries } from "../binaries/binaries.ts";
import type { ControlPlane } from "../kubernetes/control-plane.ts";
import { componentEnvironment } from "../kubernetes/environment.ts";
import { freePort } from "../kubernetes/ports.ts";
import { type Child, startChild } from "../process/child.ts";
import { nodeCgroup } from "./claim-machine.ts";
import { writeNodeCredentials } from "./credentials.ts";
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

interface PartOptions {
  readonly binary: string;
  readonly folder: string;
  readonly logs: string;
  readonly kubeconfig: string;
}

function startKubeScheduler(options: PartOptions): Promise<Child> {
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

const loopback = "127.0.0.1";

/** Starts a kube-proxy that routes Services by iptables. */
async function startKubeProxy(options: PartOptions): Promise<Child> {
  const config = join(options.folder, "kube-proxy.json");
  await writeFile(config, JSON.stringify(await kubeProxyConfig(options)));
  return startChild({
    name: "kube-proxy",
    command: options.binary,
    args: [`--config=${config}`],
    env: componentEnvironment(),
    log: join(options.logs, "kube-proxy.log"),
  });
}

async function kubeProxyConfig({ kubeconfig }: PartOptions) {
  return {
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    kind: "KubeProxyConfiguration",
    mode: "iptables",
    clientConnection: { kubeconfig },
    hostnameOverride: nodeName,
    clusterCIDR: nodeNetwork.pods,
    healthzBindAddress: `${loopback}:${await freePort(loopback)}`,
    metricsBindAddress: `${loopback}:${await freePort(loopback)}`,
    // Zeros leave the machine's own settings alone.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: "0s", tcpCloseWaitTimeout: "0s" },
    iptables: {
      localhostNodePorts: false,
      // Pods share a bridge: without it an answer would go past the address translation.
      masqueradeAll: true,
    },
  };
}
