import { parseYaml } from "@rookery/yaml";

/** The API server for clients outside of the cluster. */
export interface ClusterInfo {
  readonly server: string;
  readonly certificateAuthorityData: string;
}

/** Reads the kubeconfig of kube-public/cluster-info. Without it clients use their own. */
export function readClusterInfo(data: Readonly<Record<string, string>>): ClusterInfo | undefined {
  const { server, "certificate-authority-data": certificateAuthorityData } =
    firstCluster(data.kubeconfig ?? "") ?? {};
  if (typeof server !== "string" || !/^https?:\/\//.test(server)) return undefined;
  if (typeof certificateAuthorityData !== "string" || !certificateAuthorityData) return undefined;
  return { server, certificateAuthorityData };
}

interface Kubeconfig {
  readonly clusters?: readonly { readonly cluster?: Readonly<Record<string, unknown>> }[];
}

/** A limit far above the kubeconfig of one cluster. */
const maxKubeconfigBytes = 64 * 1024;

function firstCluster(kubeconfig: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const config = parseYaml(kubeconfig, { maxBytes: maxKubeconfigBytes }) as Kubeconfig | null;
    return config?.clusters?.[0]?.cluster ?? undefined;
  } catch {
    return undefined;
  }
}
