import { clusterNameLabel } from "@rookery/cluster-api";
/** The names of all that a control plane consists of; `cluster` is the name of its Cluster. */

export type Component = "etcd" | "apiserver" | "controller-manager";

/** The authorities of a control plane. */
export type Authority = "ca" | "etcd" | "proxy";

/** Certificates that programs of a control plane show to one another. */
type ClientLeaf = "etcd" | "etcd-health" | "proxy" | "kubelet" | "controller-manager";

/** Certificates that they are served with. */
type ServingLeaf = "apiserver-serving" | "etcd-serving";

export type Leaf = ClientLeaf | ServingLeaf;

const authorities: readonly Authority[] = ["ca", "etcd", "proxy"];
export const leaves: readonly Leaf[] = [
  "etcd",
  "etcd-health",
  "proxy",
  "kubelet",
  "controller-manager",
  "apiserver-serving",
  "etcd-serving",
];

export const componentLabel = "nested.rookery.dev/component";

export const apiServerPort = 6443;
export const etcdClientPort = 2379;
export const etcdPeerPort = 2380;
/** As many as there can ever be: all of them are in the certificate that they share. */
export const mostEtcdMembers = 5;

/** As kubeadm calls them. */
export const authorityNames: Readonly<Record<Authority, string>> = {
  ca: "kubernetes",
  etcd: "etcd-ca",
  proxy: "front-proxy-ca",
};

/** The Secret of an authority. */
export function authoritySecret(cluster: string, authority: Authority): string {
  return `${cluster}-${authority}`;
}

/** The Secret with the keys of service accounts; its tls.crt is the public key. */
export function serviceAccountSecret(cluster: string): string {
  return `${cluster}-sa`;
}

/** The Secret of a certificate: tls.crt, tls.key, ca.crt, and a kubeconfig for the controller manager. */
export function leafSecret(cluster: string, leaf: Leaf): string {
  return isServing(leaf) ? `${cluster}-${leaf}-cert` : `${cluster}-${leaf}-client-cert`;
}

function isServing(leaf: Leaf): leaf is ServingLeaf {
  return leaf === "apiserver-serving" || leaf === "etcd-serving";
}

/** The Secret with the administrator's kubeconfig, in the key `value`. */
export function kubeconfigSecret(cluster: string): string {
  return `${cluster}-kubeconfig`;
}

/** The Secret with the kubeconfig for people, in the key `value`. */
export function userKubeconfigSecret(cluster: string): string {
  return `${cluster}-user-kubeconfig`;
}

/** The StatefulSet or Deployment of a component, and its Service. */
export function workloadName(cluster: string, component: Component): string {
  return `${cluster}-${component}`;
}

/** On the pods of a component, and in the selectors that find them. */
export function selectorLabels(cluster: string, component: Component): Record<string, string> {
  return { [clusterNameLabel]: cluster, [componentLabel]: component };
}

/** The name of the API server inside of the cluster that it runs in. */
export function apiServerHost(cluster: string, namespace: string): string {
  return `${workloadName(cluster, "apiserver")}.${namespace}.svc`;
}

export function etcdMemberName(cluster: string, ordinal: number): string {
  return `${workloadName(cluster, "etcd")}-${ordinal}`;
}

/** Members' volumes: of the claim template, and of the claim that is made from it. */
export const etcdDataVolume = "data";

export function etcdClaimName(cluster: string, ordinal: number): string {
  return `${etcdDataVolume}-${etcdMemberName(cluster, ordinal)}`;
}

/** The name under which a member is reached, by its peers and by its clients. */
export function etcdMemberHost(cluster: string, namespace: string, ordinal: number): string {
  return `${etcdMemberName(cluster, ordinal)}.${workloadName(cluster, "etcd")}.${namespace}.svc`;
}

/**
 * The Secret with what a certificate that somebody supplied lacks beside its pair: supplied Secrets are never
 * written. It has no private key.
 */
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

/** Of the controller manager's Secret: the certificate that it signs with, without any that are only trusted. */
export const signingCertificate = "signing.crt";
