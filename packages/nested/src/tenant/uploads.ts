import { type Client, getOptional, ignoreAlreadyExists } from "@rookery/client";
import { type Clock, deepEqual } from "@rookery/kube";
import { stringify } from "yaml";
import { peopleGroup } from "../kubeconfig/kubeconfig.ts";
import type { ConfigMap } from "../manifests/kinds.ts";
import { clusterRoleBindings, configMaps } from "../resources.ts";
import type { Tenants } from "./tenants.ts";

/** The time after which an upload is compared again. */
const trustMs = 10 * 60 * 1000;

interface Upload {
  readonly configuration: ClusterConfiguration;
  readonly at: number;
}

/** Uploads the configuration of tenants, but not for each event. */
export function createUpload(
  tenants: Pick<Tenants, "client">,
  clock: Clock,
): (key: string, configuration: ClusterConfiguration, signal: AbortSignal) => Promise<void> {
  // By client, so that the entry is dropped together with the client.
  const done = new WeakMap<Client, Upload>();
  return async (key, configuration, signal) => {
    const client = tenants.client(key);
    if (!client) return;
    const last = done.get(client);
    const now = clock().getTime();
    if (last && now - last.at < trustMs && deepEqual(last.configuration, configuration)) return;
    await uploadKubeadmConfig(client, configuration, signal);
    done.set(client, { configuration, at: now });
  };
}

export interface ClusterConfiguration {
  readonly cluster: string;
  readonly version: string;
  readonly endpoint: string;
  readonly serviceCidr: string;
  readonly podCidr?: string;
}

const key = { namespace: "kube-system", name: "kubeadm-config" };

/** Set once the group is bound: a binding that the tenant deletes is not restored. */
const boundAnnotation = "nested.rookery.dev/cluster-admins-bound";
const annotations = { [boundAnnotation]: "true" };

/**
 * Writes kube-system/kubeadm-config if it differs. The first upload also binds the group of people.
 */
async function uploadKubeadmConfig(
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

/** People are administrators by default; the tenant may change it. */
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
