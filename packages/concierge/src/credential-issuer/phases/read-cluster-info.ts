import { parseYaml } from "@rookery/yaml";

/** Where clients outside of the cluster reach its API server. */
export interface ClusterInfo {
  readonly server: string;
  readonly certificateAuthorityData: string;
}

/**
 * Reads the kubeconfig of the ConfigMap kube-public/cluster-info, as kubeadm makes it; undefined
 * where there is none that can be used: then clients go by the kubeconfig that they have.
 */
export function readClusterInfo(data: Readonly<Record<string, string>>): ClusterInfo | undefined {
  const cluster = firstCluster(data.kubeconfig ?? "");
  const server = cluster?.server;
  const certificateAuthorityData = cluster?.["certificate-authority-data"];
  if (typeof server !== "string" || !/^https?:\/\//.test(server)) return undefined;
  if (typeof certificateAuthorityData !== "string" || certificateAuthorityData === "") {
    return undefined;
  }
  return { server, certificateAuthorityData };
}

interface Kubeconfig {
  readonly clusters?: readonly { readonly cluster?: Readonly<Record<string, unknown>> }[];
}

/** Far more than the kubeconfig of one cluster has. */
const maxKubeconfigBytes = 64 * 1024;

function firstCluster(kubeconfig: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const config = parseYaml(kubeconfig, { maxBytes: maxKubeconfigBytes }) as Kubeconfig | null;
    return config?.clusters?.[0]?.cluster ?? undefined;
  } catch {
    return undefined;
  }
}
