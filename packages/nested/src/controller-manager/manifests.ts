import type { KubeObject } from "@rookery/kube";
import type { RenderOptions } from "../component/revision.ts";
import { deploymentOf, identityOf } from "../manifests/deployment.ts";
import type { PodTemplate } from "../manifests/kinds.ts";
import { liveness, pkiPath, podTemplateOf, probe, readiness } from "../manifests/pod-template.ts";
import { authoritySecret, leafSecret, serviceAccountSecret, signingCertificate } from "../names.ts";

export interface ControllerManagerManifestOptions extends RenderOptions {
  readonly serviceCidr: string | undefined;
}

const port = 10257;

/** The objects of a controller manager. */
export function controllerManagerManifests(
  options: ControllerManagerManifestOptions,
): KubeObject[] {
  const { replicas } = options;
  const identity = identityOf("controller-manager", options);
  return [deploymentOf(identity, { replicas, template: templateOf(options) })];
}

function templateOf(options: ControllerManagerManifestOptions): PodTemplate {
  const { cluster } = options;
  const healthz = { path: "/healthz", port, scheme: "HTTPS" };
  return podTemplateOf(options, {
    component: "controller-manager",
    command: ["kube-controller-manager"],
    flags: flagsOf(options),
    ports: { https: port },
    requests: { cpu: "50m", memory: "64Mi" },
    // No startup probe: the program answers within a second, also without an API server.
    livenessProbe: probe(healthz, liveness),
    readinessProbe: probe(healthz, readiness),
    secrets: [
      { folder: "controller-manager", secret: leafSecret(cluster, "controller-manager") },
      // With the key, to sign CertificateSigningRequests.
      { folder: "ca", secret: authoritySecret(cluster, "ca") },
      { folder: "sa", secret: serviceAccountSecret(cluster) },
      { folder: "proxy", secret: leafSecret(cluster, "proxy"), keys: ["ca.crt"] },
    ],
  });
}

/** The values of kubeadm, unless there is a reason for others. */
function flagsOf(options: ControllerManagerManifestOptions): Record<string, string> {
  const kubeconfig = pkiPath("controller-manager", "kubeconfig");
  const authority = pkiPath("controller-manager", "ca.crt");
  return {
    "authentication-kubeconfig": kubeconfig,
    "authorization-kubeconfig": kubeconfig,
    "bind-address": "$(POD_IP)",
    "client-ca-file": authority,
    "cluster-name": options.cluster,
    // One certificate only, also while several are trusted.
    "cluster-signing-cert-file": pkiPath("controller-manager", signingCertificate),
    "cluster-signing-key-file": pkiPath("ca", "tls.key"),
    controllers: "*,bootstrapsigner,tokencleaner",
    kubeconfig,
    "leader-elect": "true",
    // Otherwise the program reads the authority from the API server, and exits if there is none yet.
    "requestheader-client-ca-file": pkiPath("proxy", "ca.crt"),
    "requestheader-allowed-names": "front-proxy-client",
    "root-ca-file": authority,
    "secure-port": String(port),
    "service-account-private-key-file": pkiPath("sa", "tls.key"),
    ...(options.serviceCidr && { "service-cluster-ip-range": options.serviceCidr }),
    "use-service-account-credentials": "true",
  };
}
