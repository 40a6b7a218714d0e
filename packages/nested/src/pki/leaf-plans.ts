import { isIP } from "node:net";
import { type CertificateAuthority, type LeafOptions, parseCertificate } from "@rookery/pki";
import { stringify } from "yaml";
import {
  type Authority,
  apiServerHost,
  etcdMemberHost,
  type Leaf,
  mostEtcdMembers,
  workloadName,
} from "../names.ts";
import type { PkiScope } from "./scope.ts";
import { firstServiceAddresses } from "./service-range.ts";

/** The content and the issuer of a certificate. */
export interface LeafPlan {
  readonly leaf: Leaf;
  readonly authority: Authority;
  readonly options: LeafOptions;
}

type PlanScope = Pick<PkiScope, "cluster" | "namespace" | "serviceCidr" | "hosts">;

/** The certificates of a control plane, as in kubeadm. Errors: ServiceRangeError. */
export function leafPlans(scope: PlanScope): LeafPlan[] {
  return [
    client("etcd", "etcd", { commonName: "kube-apiserver-etcd-client" }),
    client("etcd-health", "etcd", { commonName: "kube-etcd-healthcheck-client" }),
    client("proxy", "proxy", { commonName: "front-proxy-client" }),
    client("kubelet", "ca", {
      commonName: "kube-apiserver-kubelet-client",
      organizations: ["system:masters"],
    }),
    client("controller-manager", "ca", { commonName: "system:kube-controller-manager" }),
    {
      leaf: "apiserver-serving",
      authority: "ca",
      options: { commonName: "kube-apiserver", usages: ["server"], ...apiServerNames(scope) },
    },
    {
      leaf: "etcd-serving",
      authority: "etcd",
      // Members are clients of their peers with their serving certificate.
      options: { commonName: "etcd", usages: ["server", "client"], ...etcdNames(scope) },
    },
  ];
}

function client(
  leaf: Leaf,
  authority: Authority,
  names: Pick<LeafOptions, "commonName" | "organizations">,
): LeafPlan {
  return { leaf, authority, options: { ...names, usages: ["client"] } };
}

interface ServingNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

function apiServerNames({ cluster, namespace, serviceCidr, hosts }: PlanScope): ServingNames {
  const own = workloadName(cluster, "apiserver");
  const host = apiServerHost(cluster, namespace);
  return namesOf([
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
    ...[own, `${own}.${namespace}`, host, `${host}.cluster.local`],
    ...["localhost", "127.0.0.1", "::1"],
    ...firstServiceAddresses(serviceCidr),
    ...hosts,
  ]);
}

/** With the name of each member: peers verify it. */
function etcdNames({ cluster, namespace }: PlanScope): ServingNames {
  const service = `${workloadName(cluster, "etcd")}.${namespace}.svc`;
  const members = Array.from({ length: mostEtcdMembers }, (_, ordinal) =>
    etcdMemberHost(cluster, namespace, ordinal),
  );
  const names = [service, ...members];
  return namesOf([
    ...names,
    ...names.map((name) => `${name}.cluster.local`),
    ...["localhost", "127.0.0.1", "::1"],
  ]);
}

function namesOf(hosts: readonly string[]): ServingNames {
  const unique = [...new Set(hosts)];
  return {
    dnsNames: unique.filter((host) => isIP(host) === 0),
    ipAddresses: unique.filter((host) => isIP(host) !== 0),
  };
}

/** The controller manager's kubeconfig. It names files, so that renewed certificates are read. */
export function controllerManagerKubeconfig(
  scope: Pick<PkiScope, "cluster" | "namespace" | "servicePort">,
): string {
  const { cluster, namespace, servicePort } = scope;
  const user = "system:kube-controller-manager";
  const server = `https://${apiServerHost(cluster, namespace)}:${servicePort}`;
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: cluster, cluster: { server, "certificate-authority": "ca.crt" } }],
    users: [{ name: user, user: { "client-certificate": "tls.crt", "client-key": "tls.key" } }],
    contexts: [{ name: `${user}@${cluster}`, context: { cluster, user } }],
    "current-context": `${user}@${cluster}`,
  });
}

/** The time to renew a certificate, unless it ends with its authority: a new one would not last longer. */
export function renewalOf(
  certificate: string,
  authority: CertificateAuthority,
  beforeMs: number,
): Date {
  const { notAfter } = parseCertificate(certificate);
  const last = parseCertificate(authority.certificate).notAfter;
  return notAfter >= last ? notAfter : new Date(notAfter.getTime() - beforeMs);
}
