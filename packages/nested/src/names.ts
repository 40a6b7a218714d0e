import { clusterNameLabel } from "@rookery/cluster-api";

/** The names of the objects of a control plane; `cluster` is the name of its Cluster. */

export type Component = "etcd" | "apiserver" | "controller-manager";

export type Authority = "ca" | "etcd" | "proxy";

const authorities: readonly Authority[] = ["ca", "etcd", "proxy"];

const clientLeaves = ["etcd", "etcd-health", "proxy", "kubelet", "controller-manager"] as const;
const servingLeaves = ["apiserver-serving", "etcd-serving"] as const;

/** The client and serving certificates of a control plane. */
export const leaves = [...clientLeaves, ...servingLeaves] as const;

export type Leaf = (typeof leaves)[number];

export const componentLabel = "nested.rookery.dev/component";

export const apiServerPort = 6443;
export const etcdClientPort = 2379;
export const etcdPeerPort = 2380;
/** A fixed maximum, because the shared serving certificate has the names of all members. */
export const mostEtcdMembers = 5;

/** The common names of kubeadm. */
export const authorityNames: Readonly<Record<Authority, string>> = {
  ca: "kubernetes",
  etcd: "etcd-ca",
  proxy: "front-proxy-ca",
};

export function authoritySecret(cluster: string, authority: Authority): string {
  return `${cluster}-${authority}`;
}

/** The Secret with the keys of service accounts; its tls.crt is the public key. */
export function serviceAccountSecret(cluster: string): string {
  return `${cluster}-sa`;
}

/** The Secret of a certificate with its authority; the controller manager's has a kubeconfig. */
export function leafSecret(cluster: string, leaf: Leaf): string {
  const isServing = servingLeaves.some((one) => one === leaf);
  return isServing ? `${cluster}-${leaf}-cert` : `${cluster}-${leaf}-client-cert`;
}

/** The Secret with the administrator's kubeconfig, in the key `value`. */
export function kubeconfigSecret(cluster: string): string {
  return `${cluster}-kubeconfig`;
}

/** The Secret with the kubeconfig for people, in the key `value`. */
export function userKubeconfigSecret(cluster: string): string {
  return `${cluster}-user-kubeconfig`;
}

/** The name of the workload of a component, and of its Service. */
export function workloadName(cluster: string, component: Component): string {
  return `${cluster}-${component}`;
}

export function selectorLabels(cluster: string, component: Component): Record<string, string> {
  return { [clusterNameLabel]: cluster, [componentLabel]: component };
}

/** The host of the API server inside of the management cluster. */
export function apiServerHost(cluster: string, namespace: string): string {
  return `${workloadName(cluster, "apiserver")}.${namespace}.svc`;
}

export function etcdMemberName(cluster: string, ordinal: number): string {
  return `${workloadName(cluster, "etcd")}-${ordinal}`;
}

/** The name of the claim template of members' volumes. */
export const etcdDataVolume = "data";

export function etcdClaimName(cluster: string, ordinal: number): string {
  return `${etcdDataVolume}-${etcdMemberName(cluster, ordinal)}`;
}

/** The host of a member, for peers and clients. */
export function etcdMemberHost(cluster: string, namespace: string, ordinal: number): string {
  return `${etcdMemberName(cluster, ordinal)}.${workloadName(cluster, "etcd")}.${namespace}.svc`;
}

/** The Secret with the keys that a supplied Secret lacks. It has no private key. */
export function companionSecret(leaf: string): string {
  return `${leaf}-companion`;
}

/** All Secrets of a control plane, without companions. */
export function secretNames(cluster: string): string[] {
  return [
    ...authorities.map((authority) => authoritySecret(cluster, authority)),
    serviceAccountSecret(cluster),
    ...leaves.map((leaf) => leafSecret(cluster, leaf)),
    kubeconfigSecret(cluster),
    userKubeconfigSecret(cluster),
  ];
}

/** The key of the signing certificate, without authorities that are only trusted. */
export const signingCertificate = "signing.crt";
