import type { KubeObject } from "@rookery/kube";
import type { Revision } from "../component/revision.ts";
import { argumentsOf } from "../manifests/arguments.ts";
import { disruptionBudgetOf } from "../manifests/disruption-budget.ts";
import type { ConfigMap, PodTemplate, Service, StatefulSet } from "../manifests/kinds.ts";
import { identityOf, type ObjectIdentity, type Place } from "../manifests/object-identity.ts";
import {
  type Companions,
  liveness,
  pkiPath,
  podTemplateOf,
  probe,
  readiness,
  startup,
} from "../manifests/pod-template.ts";
import {
  etcdClientPort,
  etcdDataVolume,
  etcdPeerPort,
  leafSecret,
  workloadName,
} from "../names.ts";
import { backendQuota } from "./storage.ts";

export interface EtcdManifestOptions extends Place {
  readonly revision: Revision;
  readonly image: string;
  readonly replicas: number;
  /** Pods with this ordinal and above are brought to the newest template. */
  readonly partition: number;
  readonly storage: Storage;
  /** How a member without data finds the others; read when a pod starts, so no pod is made anew for it. */
  readonly membership: Readonly<Record<string, string>>;
  readonly inputs: string;
  readonly companions?: Companions;
}

export interface Storage {
  readonly size: string;
  readonly storageClassName?: string;
}

/** On the StatefulSet: after how many seconds a pod that is not ready is given up. */
export const deadlineAnnotation = "nested.rookery.dev/progress-deadline-seconds";
export const defaultDeadline = "600";

const membershipVolume = "membership";
const metricsPort = 2381;
const serving = "etcd-serving";

/** The objects that etcd is made of, in the order in which they are applied. */
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

/** Members have names before they are ready: they become ready by finding one another. */
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
      // After an outage no member is ready before others are: all start at once.
      podManagementPolicy: "Parallel",
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition } },
      // A member that was removed never comes back with its old data; deletion is the finalizer's.
      persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete", whenDeleted: "Retain" },
      revisionHistoryLimit: 3,
      selector: { matchLabels: identity.labels },
      template: templateOf(options),
      volumeClaimTemplates: [claimTemplateOf(storage)],
    },
  };
}

function claimTemplateOf({ size, storageClassName }: Storage) {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: etcdDataVolume },
    spec: {
      accessModes: ["ReadWriteOnce"],
      ...(storageClassName !== undefined && { storageClassName }),
      resources: { requests: { storage: size } },
    },
  };
}

function templateOf(options: EtcdManifestOptions): PodTemplate {
  const { cluster, revision, image, inputs } = options;
  const health = (path: string) => ({ path, port: metricsPort, scheme: "HTTP" }) as const;
  return podTemplateOf({
    cluster,
    component: "etcd",
    container: {
      image,
      command: ["etcd"],
      args: argumentsOf(flagsOf(options), revision.extraArgs),
      ports: [
        { name: "client", containerPort: etcdClientPort, protocol: "TCP" },
        { name: "peer", containerPort: etcdPeerPort, protocol: "TCP" },
        { name: "metrics", containerPort: metricsPort, protocol: "TCP" },
      ],
      resources: revision.resources ?? { requests: { cpu: "100m", memory: "100Mi" } },
      // Without a quorum a member lives, but is not ready: to start it anew would not help.
      startupProbe: probe(health("/livez"), startup),
      livenessProbe: probe(health("/livez"), liveness),
      readinessProbe: probe(health("/readyz"), readiness),
    },
    secrets: [{ folder: serving, secret: leafSecret(cluster, serving) }],
    inputs,
    companions: options.companions,
    env: [
      fromMembership("ETCD_INITIAL_CLUSTER", "initial-cluster", cluster),
      fromMembership("ETCD_INITIAL_CLUSTER_STATE", "initial-cluster-state", cluster),
    ],
    volumeMounts: [
      { name: etcdDataVolume, mountPath: "/var/lib/etcd" },
      { name: membershipVolume, mountPath: "/etc/etcd/membership", readOnly: true },
    ],
    // Nobody reads it there. But a kubelet that may not read it yet, as it may not for a moment after a pod
    // came to its node, tries again after half a second for a volume, and after ten for the environment alone.
    volumes: [{ name: membershipVolume, configMap: { name: workloadName(cluster, "etcd") } }],
    terminationGracePeriodSeconds: 30,
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
    // A folder of its own in the volume, which etcd makes as it wants it.
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
