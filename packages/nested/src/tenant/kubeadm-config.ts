import { type Client, ignoreAlreadyExists } from "@rookery/client";
import { deepEqual, isNotFound, type KubeObject } from "@rookery/kube";
import { stringify } from "yaml";
import { peopleGroup } from "../kubeconfig/accounts.ts";
import { clusterRoleBindings, configMaps } from "../resources.ts";

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

/** That the group of people was bound: whoever removes the binding later means it. */
const boundAnnotation = "nested.rookery.dev/cluster-admins-bound";
const annotations = { [boundAnnotation]: "true" };

/**
 * Writes kube-system/kubeadm-config, as kubeadm uploads it, where it is not there or not right. Whoever
 * is told of itself for the first time has the group of people bound, too: once, and never again.
 */
export async function uploadKubeadmConfig(
  tenantClient: Client,
  configuration: ClusterConfiguration,
  signal: AbortSignal,
): Promise<void> {
  const resource = tenantClient.resource<ConfigMap>(configMaps);
  const data = { ClusterConfiguration: clusterConfiguration(configuration) };
  try {
    const found = await resource.get(key, { signal });
    const isBound = found.metadata.annotations?.[boundAnnotation] !== undefined;
    if (isBound && deepEqual(found.data, data)) return;
    if (!isBound) await bindPeople(tenantClient, signal);
    const patch = { metadata: { annotations }, data };
    await resource.patch(key, { type: "merge", patch }, { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await bindPeople(tenantClient, signal);
    const metadata = { ...key, annotations };
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata, data };
    await ignoreAlreadyExists(resource.create(configMap, { signal }));
  }
}

/** People are administrators until the tenant decides otherwise. */
async function bindPeople(tenantClient: Client, signal: AbortSignal): Promise<void> {
  const apiGroup = "rbac.authorization.k8s.io";
  const binding = {
    apiVersion: `${apiGroup}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: peopleGroup },
    roleRef: { apiGroup, kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ apiGroup, kind: "Group", name: peopleGroup }],
  };
  await ignoreAlreadyExists(tenantClient.resource(clusterRoleBindings).create(binding, { signal }));
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
