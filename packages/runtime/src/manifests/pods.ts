import { restrictedPod } from "@rookery/kube";

/** The name, namespace and labels that the objects of one manager share. */
export interface ManagerMetadata {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The account of a manager, whose token only pods that request it get. */
export function managerAccount(metadata: ManagerMetadata): object {
  const kind = "ServiceAccount";
  return { apiVersion: "v1", kind, metadata, automountServiceAccountToken: false };
}

/** The account and the security context of a manager's pods. */
export function managerPod(serviceAccountName: string) {
  return {
    serviceAccountName,
    automountServiceAccountToken: true,
    securityContext: restrictedPod,
  } as const;
}

/** The ports of API servers, vCenters, registries, release hosts and issuers, also behind a Service. */
const tlsPorts = [443, 6443, 8443, 16_443];
/** 5353: the port of the DNS pods of some distributions behind their Service. */
const dnsPorts = [53, 5353];

export interface ManagerTraffic {
  readonly podLabels: Readonly<Record<string, string>>;
  /** Names of the container ports that others may call. Kubelets may call any. */
  readonly ingress: readonly string[];
  /** TCP ports that the manager calls beside those of TLS. */
  readonly egress?: readonly number[];
}

/**
 * Denies all traffic of a manager's pods except the named ports, DNS and TLS. Peers are not limited: API servers call
 * webhooks from the address of a node, and policies see addresses behind Services. Further policies for the same pods
 * add to it, so that an administrator can open a port without a change of this one.
 */
export function managerNetworkPolicy(
  metadata: ManagerMetadata,
  { podLabels, ingress, egress = [] }: ManagerTraffic,
): object {
  const tcp = (port: number | string) => ({ protocol: "TCP", port });
  const dns = dnsPorts.flatMap((port) => [{ protocol: "UDP", port }, tcp(port)]);
  const called = [...new Set([...tlsPorts, ...egress])];
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata,
    spec: {
      podSelector: { matchLabels: podLabels },
      policyTypes: ["Ingress", "Egress"],
      ingress: [{ ports: ingress.map(tcp) }],
      egress: [{ ports: dns }, { ports: called.map(tcp) }],
    },
  };
}
