import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { componentEnvironment } from "../kubernetes/environment.ts";
import { type Child, startChild } from "../process/child.ts";
import { containerdPaths } from "./containerd.ts";

export interface KubeletOptions {
  readonly binary: string;
  readonly folder: string;
  readonly logs: string;
  readonly kubeconfig: string;
  readonly nodeName: string;
  readonly address: string;
  readonly port: number;
  readonly cgroup: string;
  readonly clientCa: string;
  readonly certificate: { readonly crt: string; readonly key: string };
  /** The address of the cluster's DNS; without it pods ask whom the machine asks. */
  readonly dns?: string | undefined;
  /** How often it looks at what pods have mounted. */
  readonly syncSeconds?: number | undefined;
}

/** Starts a kubelet that registers its node. */
export async function startKubelet(options: KubeletOptions): Promise<Child> {
  const config = join(options.folder, "kubelet.json");
  await mkdir(join(options.folder, "kubelet"), { recursive: true });
  await writeFile(config, JSON.stringify(kubeletConfig(options)));
  return startChild({
    name: "kubelet",
    command: options.binary,
    args: [
      `--config=${config}`,
      `--kubeconfig=${options.kubeconfig}`,
      `--root-dir=${join(options.folder, "kubelet")}`,
      `--hostname-override=${options.nodeName}`,
      `--node-ip=${options.address}`,
    ],
    env: componentEnvironment(),
    log: join(options.logs, "kubelet.log"),
  });
}

function kubeletConfig(options: KubeletOptions) {
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    address: options.address,
    port: options.port,
    healthzPort: 0,
    tlsCertFile: options.certificate.crt,
    tlsPrivateKeyFile: options.certificate.key,
    authentication: { anonymous: { enabled: false }, x509: { clientCAFile: options.clientCa } },
    authorization: { mode: "Webhook" },
    containerRuntimeEndpoint: `unix://${containerdPaths(options.folder).socket}`,
    ...(options.dns && { clusterDNS: [options.dns], clusterDomain: "cluster.local" }),
    ...(options.syncSeconds && { syncFrequency: `${options.syncSeconds}s` }),
    podLogsDir: join(options.folder, "pod-logs"),
    volumePluginDir: join(options.folder, "volume-plugins"),
    cgroupDriver: "cgroupfs",
    cgroupRoot: `/${options.cgroup}`,
    enforceNodeAllocatable: [],
    failCgroupV1: false,
    failSwapOn: false,
    localStorageCapacityIsolation: false,
    makeIPTablesUtilChains: false,
    serializeImagePulls: false,
    // The machine belongs to others, too: how full it is must not end pods or images of a test.
    evictionHard: Object.fromEntries(
      ["imagefs.available", "memory.available", "nodefs.available", "nodefs.inodesFree"].map(
        (signal) => [signal, "0%"],
      ),
    ),
    imageGCHighThresholdPercent: 100,
  };
}
