import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { componentEnvironment } from "../kubernetes/environment.ts";
import { freePort } from "../kubernetes/ports.ts";
import { type Child, startChild } from "../process/child.ts";
import { nodeNetwork } from "./network.ts";

const loopback = "127.0.0.1";

export interface KubeProxyOptions {
  readonly binary: string;
  readonly folder: string;
  readonly logs: string;
  readonly kubeconfig: string;
  readonly nodeName: string;
}

/** Starts a kube-proxy that routes Services by iptables. */
export async function startKubeProxy(options: KubeProxyOptions): Promise<Child> {
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

async function kubeProxyConfig(options: KubeProxyOptions) {
  return {
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    kind: "KubeProxyConfiguration",
    mode: "iptables",
    clientConnection: { kubeconfig: options.kubeconfig },
    hostnameOverride: options.nodeName,
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
