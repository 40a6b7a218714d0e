import { isIP } from "node:net";
import type { CertificateNames } from "@rookery/pki";

/** The API server's names for clients in a pod. */
const kubernetesNames = [
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
];

type Names = Required<Pick<CertificateNames, "commonName" | "dnsNames" | "ipAddresses">>;

/** The names of the proxy for apps: loopback, its address, and the configured ones. */
export function appCertificateNames(host: string, further: readonly string[]): Names {
  const isAny = host === "" || host === "0.0.0.0" || host === "::";
  const hosts = ["localhost", "127.0.0.1", "::1", ...(isAny ? [] : [host]), ...further];
  return certificateNames("rookery-proxy", [...kubernetesNames, ...hosts]);
}

/** Sorts hosts into unique names and addresses. */
export function certificateNames(commonName: string, hosts: readonly string[]): Names {
  const unique = [...new Set(hosts)];
  return {
    commonName,
    dnsNames: unique.filter((host) => isIP(host) === 0),
    ipAddresses: unique.filter((host) => isIP(host) !== 0),
  };
}
