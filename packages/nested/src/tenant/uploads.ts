import { type Client, getOptional, ignoreAlreadyExists } from "@rookery/client";
import { type Clock, deepEqual, type KubeObject } from "@rookery/kube";
import { stringify } from "yaml";
import { peopleGroup } from "../kubeconfig/kubeconfig.ts";
import { clusterRoleBindings, configMaps } from "../resources.ts";
import type { Tenants } from "./tenants.ts";

/** For this long an upload is not compared with the tenant again. */
const trustMs = 10 * 60 * 1000;

interface Upload {
  readonly configuration: ClusterConfiguration;
  readonly at: number;
}

/** Uploads the configuration of tenants, but not again at every event of their components. */
export function createUpload(
  tenants: Pick<Tenants, "client">,
  clock: Clock,
): (key: string, configuration: ClusterConfiguration, signal: AbortSignal) => Promise<void> {
  // By client, not by tenant: the entry of a tenant that is forgotten goes with its client.
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
