import type { NestedAPIServer } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import type { RenderOptions } from "../component/revision.ts";
import {
  deploymentOf,
  disruptionBudgetOf,
  identityOf,
  type ObjectIdentity,
  type Place,
} from "../manifests/deployment.ts";
import type { PodTemplate, Service } from "../manifests/kinds.ts";
import { pkiPath, podTemplateOf, serverProbes } from "../manifests/pod-template.ts";
import { apiServerPort, leafSecret, serviceAccountSecret } from "../names.ts";

export interface ApiServerManifestOptions extends RenderOptions {
  readonly service: NestedAPIServer["spec"]["service"];
  readonly etcdServers: readonly string[];
}

/** The Service of the API server, which has an address before there are pods. */
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

/** Pods use the own port of the API server, besides the port of the spec. */
function portsOf(port: number, nodePort: number | undefined) {
  const common = { protocol: "TCP", targetPort: apiServerPort };
  const outside = { name: "https", port, ...common, ...(nodePort !== undefined && { nodePort }) };
  return port === apiServerPort
    ? [outside]
    : [outside, { name: "internal", port: apiServerPort, ...common }];
}

/** The objects of an API server, besides its Service. */
export function apiServerManifests(options: ApiServerManifestOptions): KubeObject[] {
  const identity: ObjectIdentity = identityOf("apiserver", options);
  const { replicas } = options;
  return [
    deploymentOf(identity, { replicas, template: templateOf(options) }),
    disruptionBudgetOf(identity),
  ];
}

function templateOf(options: ApiServerManifestOptions): PodTemplate {
  const { cluster } = options;
  const leaf = (folder: "apiserver-serving" | "etcd" | "proxy" | "kubelet") => ({
    folder,
    secret: leafSecret(cluster, folder),
  });
  return podTemplateOf(options, {
    component: "apiserver",
    command: ["kube-apiserver"],
    flags: flagsOf(options),
    ports: { https: apiServerPort },
    requests: { cpu: "100m", memory: "300Mi" },
    ...serverProbes(apiServerPort, "HTTPS"),
    secrets: [
      leaf("apiserver-serving"),
      leaf("etcd"),
      leaf("proxy"),
      leaf("kubelet"),
      { folder: "sa", secret: serviceAccountSecret(cluster) },
    ],
    // The program in Kubernetes' image has this capability, and does not start without it.
    capability: "NET_BIND_SERVICE",
    terminationGracePeriodSeconds: 60,
  });
}

/** The values of kubeadm, unless there is a reason for others. */
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
    // The pod serves until clients know that it is being deleted.
    "shutdown-delay-duration": "2s",
    // Then it ends open requests. Otherwise a single watch delays the end by a minute.
    "shutdown-send-retry-after": "true",
    "tls-cert-file": pkiPath("apiserver-serving", "tls.crt"),
    "tls-private-key-file": pkiPath("apiserver-serving", "tls.key"),
  };
}
