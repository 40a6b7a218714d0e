import type { KubeObject } from "@rookery/kube";
import type { RenderOptions } from "../component/revision.ts";
import {
  claimOf,
  disruptionBudgetOf,
  identityOf,
  type ObjectIdentity,
  type Storage,
} from "../manifests/deployment.ts";
import type { ConfigMap, PodTemplate, Service, StatefulSet } from "../manifests/kinds.ts";
import { pkiPath, podTemplateOf, serverProbes } from "../manifests/pod-template.ts";
import {
  etcdClientPort,
  etcdDataVolume,
  etcdPeerPort,
  leafSecret,
  workloadName,
} from "../names.ts";
import { backendQuota } from "./storage.ts";

export interface EtcdManifestOptions extends RenderOptions {
  /** Pods with this ordinal and above get the newest template. */
  readonly partition: number;
  readonly storage: Storage;
  /** How a member without data finds the others. Read at the start of a pod: changes replace no pods. */
  readonly membership: Readonly<Record<string, string>>;
}

/** On the StatefulSet: the seconds after which a pod that is not ready has failed. */
export const deadlineAnnotation = "nested.rookery.dev/progress-deadline-seconds";
export const defaultDeadline = "600";

const membershipVolume = "membership";
const metricsPort = 2381;
const serving = "etcd-serving";

/** The objects of etcd, in the order in which they are applied. */
export function etcdManifests(options: EtcdManifestOptions): KubeObject[] {
  const identity = identityOf("etcd", options);
  return [
    membershipOf(options, identity),
    serviceOf(identity),
    statefulSetOf(options, identity),
    disruptionBudgetOf(identity),
  ];
}

function membershipOf(
  { membership }: EtcdManifestOptions,
  { metadata }: ObjectIdentity,
): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: membership };
}

/** Publishes members before they are ready: they need one another to become ready. */
function serviceOf({ metadata, labels }: ObjectIdentity): Service {
  const port = (name: string, number: number) => ({
    name,
    port: number,
    protocol: "TCP",
    targetPort: number,
  });
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: {
      type: "ClusterIP",
      clusterIP: "None",
      publishNotReadyAddresses: true,
      selector: labels,
      ports: [port("client", etcdClientPort), port("peer", etcdPeerPort)],
    },
  };
}

function statefulSetOf(options: EtcdManifestOptions, identity: ObjectIdentity): StatefulSet {
  const { replicas, partition, storage } = options;
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { ...identity.metadata, annotations: { [deadlineAnnotation]: defaultDeadline } },
    spec: {
      replicas,
      serviceName: identity.metadata.name,
      // After an outage members need one another to become ready: all start at once.
      podManagementPolicy: "Parallel",
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition } },
      // A removed member must not come back with its old data. The finalizer deletes the rest.
      persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete", whenDeleted: "Retain" },
      revisionHistoryLimit: 3,
      selector: { matchLabels: identity.labels },
      template: templateOf(options),
      volumeClaimTemplates: [claimOf({ name: etcdDataVolume }, storage)],
    },
  };
}

function templateOf(options: EtcdManifestOptions): PodTemplate {
  const { cluster } = options;
  return podTemplateOf(options, {
    component: "etcd",
    command: ["etcd"],
    flags: flagsOf(options),
    ports: { client: etcdClientPort, peer: etcdPeerPort, metrics: metricsPort },
    requests: { cpu: "100m", memory: "100Mi" },
    // Without a quorum a member is alive, but not ready: a restart would not help.
    ...serverProbes(metricsPort, "HTTP"),
    secrets: [{ folder: serving, secret: leafSecret(cluster, serving) }],
    env: [
      fromMembership("ETCD_INITIAL_CLUSTER", "initial-cluster", cluster),
      fromMembership("ETCD_INITIAL_CLUSTER_STATE", "initial-cluster-state", cluster),
    ],
    volumeMounts: [
      { name: etcdDataVolume, mountPath: "/var/lib/etcd" },
      { name: membershipVolume, mountPath: "/etc/etcd/membership", readOnly: true },
    ],
    // For faster retries only: a kubelet that may not read the ConfigMap yet retries after half a second for a
    // volume, but after ten seconds for the environment.
    volumes: [{ name: membershipVolume, configMap: { name: workloadName(cluster, "etcd") } }],
  });
}

function fromMembership(name: string, key: string, cluster: string) {
  return { name, valueFrom: { configMapKeyRef: { name: workloadName(cluster, "etcd"), key } } };
}

function flagsOf({ cluster, namespace, storage }: EtcdManifestOptions): Record<string, string> {
  const host = `$(POD_NAME).${workloadName(cluster, "etcd")}.${namespace}.svc`;
  const [cert, key, ca] = ["tls.crt", "tls.key", "ca.crt"].map((file) => pkiPath(serving, file));
  return {
    name: "$(POD_NAME)",
    // A folder in the volume that etcd creates itself.
    "data-dir": "/var/lib/etcd/data",
    "listen-client-urls": `https://$(POD_IP):${etcdClientPort}`,
    "advertise-client-urls": `https://${host}:${etcdClientPort}`,
    "listen-peer-urls": `https://$(POD_IP):${etcdPeerPort}`,
    "initial-advertise-peer-urls": `https://${host}:${etcdPeerPort}`,
    "listen-metrics-urls": `http://$(POD_IP):${metricsPort}`,
    "initial-cluster-token": `${namespace}.${cluster}`,
    "cert-file": cert ?? "",
    "key-file": key ?? "",
    "trusted-ca-file": ca ?? "",
    "client-cert-auth": "true",
    "peer-cert-file": cert ?? "",
    "peer-key-file": key ?? "",
    "peer-trusted-ca-file": ca ?? "",
    "peer-client-cert-auth": "true",
    "quota-backend-bytes": String(backendQuota(storage.size)),
  };
}
