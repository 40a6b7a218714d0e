import type { NestedAPIServer } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import type { Revision } from "../component/revision.ts";
import { argumentsOf } from "../manifests/arguments.ts";
import { deploymentOf } from "../manifests/deployment.ts";
import { disruptionBudgetOf } from "../manifests/disruption-budget.ts";
import type { PodTemplate, Service } from "../manifests/kinds.ts";
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
import { apiServerPort, leafSecret, serviceAccountSecret } from "../names.ts";

export interface ApiServerManifestOptions extends Place {
  readonly revision: Revision;
  readonly image: string;
  readonly replicas: number;
  readonly service: NestedAPIServer["spec"]["service"];
  /** URLs of the etcd members. */
  readonly etcdServers: readonly string[];
  readonly inputs: string;
  readonly companions?: Companions;
}

/** The Service of the API server: it has an address before there is a pod. */
export function apiServerService(
  options: Pick<ApiServerManifestOptions, "service" | keyof Place>,
): Service {
  const { metadata, labels } = identityOf("apiserver", options);
  const { type, port, nodePort, annotations } = options.service;
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { ...metadata, ...(annotations && { annotations }) },
    spec: {
      type,
      selector: labels,
      ports: portsOf(port, nodePort),
    },
  };
}

/** Pods find the API server at its own port, whichever one others use. */
function portsOf(port: number, nodePort: number | undefined) {
  const common = { protocol: "TCP", targetPort: apiServerPort };
  const outside = { name: "https", port, ...common, ...(nodePort !== undefined && { nodePort }) };
  return port === apiServerPort
    ? [outside]
    : [outside, { name: "internal", port: apiServerPort, ...common }];
}

/** The objects that an API server is made of, but for its Service. */
export function apiServerManifests(options: ApiServerManifestOptions): KubeObject[] {
  const identity: ObjectIdentity = identityOf("apiserver", options);
  const { replicas } = options;
  return [
    deploymentOf(identity, { replicas, template: templateOf(options) }),
    disruptionBudgetOf(identity),
  ];
}

function templateOf(options: ApiServerManifestOptions): PodTemplate {
  const { cluster, revision, image, inputs } = options;
  const health = (path: string) => ({ path, port: apiServerPort, scheme: "HTTPS" }) as const;
  const leaf = (folder: "apiserver-serving" | "etcd" | "proxy" | "kubelet") => ({
    folder,
    secret: leafSecret(cluster, folder),
  });
  return podTemplateOf({
    cluster,
    component: "apiserver",
    container: {
      image,
      command: ["kube-apiserver"],
      args: argumentsOf(flagsOf(options), revision.extraArgs),
      ports: [{ name: "https", containerPort: apiServerPort, protocol: "TCP" }],
      resources: revision.resources ?? { requests: { cpu: "100m", memory: "300Mi" } },
      startupProbe: probe(health("/livez"), startup),
      livenessProbe: probe(health("/livez"), liveness),
      readinessProbe: probe(health("/readyz"), readiness),
    },
    secrets: [
      leaf("apiserver-serving"),
      leaf("etcd"),
      leaf("proxy"),
      leaf("kubelet"),
      { folder: "sa", secret: serviceAccountSecret(cluster) },
    ],
    inputs,
    companions: options.companions,
    // Kubernetes' image gives its program this capability, without which it may not be started.
    capability: "NET_BIND_SERVICE",
    terminationGracePeriodSeconds: 60,
  });
}

/** As kubeadm sets them, where there is no reason for another value. */
function flagsOf({ etcdServers, revision }: ApiServerManifestOptions): Record<string, string> {
  return {
    "advertise-address": "$(POD_IP)",
    "bind-address": "$(POD_IP)",
    "secure-port": String(apiServerPort),
    "allow-privileged": "true",
    "authorization-mode": "Node,RBAC",
    "client-ca-file": pkiPath("apiserver-serving", "ca.crt"),
    "enable-admission-plugins": "NodeRestriction",
    "enable-bootstrap-token-auth": "true",
    "etcd-cafile": pkiPath("etcd", "ca.crt"),
    "etcd-certfile": pkiPath("etcd", "tls.crt"),
    "etcd-keyfile": pkiPath("etcd", "tls.key"),
    "etcd-servers": etcdServers.join(","),
    "kubelet-client-certificate": pkiPath("kubelet", "tls.crt"),
    "kubelet-client-key": pkiPath("kubelet", "tls.key"),
    "kubelet-preferred-address-types": "InternalIP,ExternalIP,Hostname",
    "proxy-client-cert-file": pkiPath("proxy", "tls.crt"),
    "proxy-client-key-file": pkiPath("proxy", "tls.key"),
    "requestheader-allowed-names": "front-proxy-client",
    "requestheader-client-ca-file": pkiPath("proxy", "ca.crt"),
    "requestheader-extra-headers-prefix": "X-Remote-Extra-",
    "requestheader-group-headers": "X-Remote-Group",
    "requestheader-username-headers": "X-Remote-User",
    "service-account-issuer": "https://kubernetes.default.svc.cluster.local",
    "service-account-key-file": pkiPath("sa", "tls.crt"),
    "service-account-signing-key-file": pkiPath("sa", "tls.key"),
    "service-cluster-ip-range": revision.serviceCidr ?? "",
    // Until everybody knows that this pod is going, it goes on serving.
    "shutdown-delay-duration": "2s",
    // Then it ends what is on its way and sends others elsewhere. Otherwise one watch is enough to keep it
    // for a minute, until it is killed.
    "shutdown-send-retry-after": "true",
    "tls-cert-file": pkiPath("apiserver-serving", "tls.crt"),
    "tls-private-key-file": pkiPath("apiserver-serving", "tls.key"),
  };
}
