import { type Client, getOptional, ignoreAlreadyExists } from "@rookery/client";
import { deepEqual, type KubeObject } from "@rookery/kube";
import { stringify } from "yaml";
import { peopleGroup } from "../kubeconfig/accounts.ts";
import { clusterRoleBindings, configMaps } from "../resources.ts";

/** The configuration that the tenant gets. */
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

/** The group of people was bound once; a binding that the tenant removes stays removed. */
const boundAnnotation = "nested.rookery.dev/cluster-admins-bound";
const annotations = { [boundAnnotation]: "true" };

/**
 * Writes kube-system/kubeadm-config, as kubeadm uploads it, where it is missing or different. The first upload
 * also binds the group of people.
 */
export async function uploadKubeadmConfig(
  tenantClient: Client,
  configuration: ClusterConfiguration,
  signal: AbortSignal,
): Promise<void> {
  const resource = tenantClient.resource<ConfigMap>(configMaps);
  const data = { ClusterConfiguration: clusterConfiguration(configuration) };
  const found = await getOptional(resource, key, { signal });
  const isBound = found?.metadata.annotations?.[boundAnnotation] !== undefined;
  if (isBound && deepEqual(found?.data, data)) return;
  if (!isBound) await bindPeople(tenantClient, signal);
  if (found) {
    const patch = { metadata: { annotations }, data };
    await resource.patch(key, { type: "merge", patch }, { signal });
  } else {
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
