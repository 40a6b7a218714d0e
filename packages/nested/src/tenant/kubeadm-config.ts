import type { Client } from "@rookery/client";
import { deepEqual, isAlreadyExists, isNotFound, type KubeObject } from "@rookery/kube";
import { stringify } from "yaml";
import { configMaps } from "../resources.ts";

/** What the tenant is told about itself. */
export interface ClusterConfiguration {
  readonly cluster: string;
  readonly version: string;
  readonly endpoint: string;
  readonly serviceCidr: string;
  readonly podCidr?: string;
}

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const key = { namespace: "kube-system", name: "kubeadm-config" };

/** Writes kube-system/kubeadm-config, as kubeadm uploads it, where it is not there or not right. */
export async function uploadKubeadmConfig(
  tenantClient: Client,
  configuration: ClusterConfiguration,
  signal: AbortSignal,
): Promise<void> {
  const resource = tenantClient.resource<ConfigMap>(configMaps);
  const data = { ClusterConfiguration: clusterConfiguration(configuration) };
  try {
    const found = await resource.get(key, { signal });
    if (deepEqual(found.data, data)) return;
    await resource.patch(key, { type: "merge", patch: { data } }, { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await create(() =>
      resource.create({ apiVersion: "v1", kind: "ConfigMap", metadata: key, data }, { signal }),
    );
  }
}

async function create(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

function clusterConfiguration(configuration: ClusterConfiguration): string {
  const { cluster, version, endpoint, serviceCidr, podCidr } = configuration;
  return stringify({
    apiVersion: "kubeadm.k8s.io/v1beta4",
    kind: "ClusterConfiguration",
    clusterName: cluster,
    controlPlaneEndpoint: endpoint,
    kubernetesVersion: version,
    networking: {
      dnsDomain: "cluster.local",
      serviceSubnet: serviceCidr,
      ...(podCidr && { podSubnet: podCidr }),
    },
  });
}
