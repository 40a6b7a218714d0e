import type { KubeObject } from "@rookery/kube";
import type { Revision } from "../component/revision.ts";
import { argumentsOf } from "../manifests/arguments.ts";
import { deploymentOf } from "../manifests/deployment.ts";
import type { PodTemplate } from "../manifests/kinds.ts";
import { identityOf, type Place } from "../manifests/object-identity.ts";
import {
  type Companions,
  liveness,
  pkiPath,
  podTemplateOf,
  probe,
  readiness,
} from "../manifests/pod-template.ts";
import { authoritySecret, leafSecret, serviceAccountSecret, signingCertificate } from "../names.ts";

export interface ControllerManagerManifestOptions extends Place {
  readonly revision: Revision;
  readonly image: string;
  readonly replicas: number;
  readonly serviceCidr: string | undefined;
  readonly inputs: string;
  readonly companions?: Companions;
}

const port = 10257;

/** The objects that a controller manager is made of. */
export function controllerManagerManifests(
  options: ControllerManagerManifestOptions,
): KubeObject[] {
  const { replicas } = options;
  const identity = identityOf("controller-manager", options);
  return [deploymentOf(identity, { replicas, template: templateOf(options) })];
}

function templateOf(options: ControllerManagerManifestOptions): PodTemplate {
  const { cluster, revision, image, inputs } = options;
  const healthz = { path: "/healthz", port, scheme: "HTTPS" } as const;
  return podTemplateOf({
    cluster,
    component: "controller-manager",
    container: {
      image,
      command: ["kube-controller-manager"],
      args: argumentsOf(flagsOf(options), revision.extraArgs),
      ports: [{ name: "https", containerPort: port, protocol: "TCP" }],
      resources: revision.resources ?? { requests: { cpu: "50m", memory: "64Mi" } },
      // It answers within a second of its start, with an API server or without, and needs no time to start.
      // One probe has to pass then, instead of one after the other.
      livenessProbe: probe(healthz, liveness),
      readinessProbe: probe(healthz, readiness),
    },
    secrets: [
      { folder: "controller-manager", secret: leafSecret(cluster, "controller-manager") },
      // It signs what is asked for by CertificateSigningRequests, and so needs the key.
      { folder: "ca", secret: authoritySecret(cluster, "ca") },
      { folder: "sa", secret: serviceAccountSecret(cluster) },
      { folder: "proxy", secret: leafSecret(cluster, "proxy"), keys: ["ca.crt"] },
    ],
    inputs,
    companions: options.companions,
    terminationGracePeriodSeconds: 30,
  });
}

/** As kubeadm sets them, where there is no reason for another value. */
function flagsOf(options: ControllerManagerManifestOptions): Record<string, string> {
  const kubeconfig = pkiPath("controller-manager", "kubeconfig");
  const authority = pkiPath("controller-manager", "ca.crt");
  return {
    "authentication-kubeconfig": kubeconfig,
    "authorization-kubeconfig": kubeconfig,
    "bind-address": "$(POD_IP)",
    "client-ca-file": authority,
    "cluster-name": options.cluster,
    // Of an authority that others are trusted beside: it takes one certificate only.
    "cluster-signing-cert-file": pkiPath("controller-manager", signingCertificate),
    "cluster-signing-key-file": pkiPath("ca", "tls.key"),
    controllers: "*,bootstrapsigner,tokencleaner",
    kubeconfig,
    "leader-elect": "true",
    // Without it, it asks the API server for it before anything else, and ends where there is none yet.
    "requestheader-client-ca-file": pkiPath("proxy", "ca.crt"),
    "requestheader-allowed-names": "front-proxy-client",
    "root-ca-file": authority,
    "secure-port": String(port),
    "service-account-private-key-file": pkiPath("sa", "tls.key"),
    ...(options.serviceCidr && { "service-cluster-ip-range": options.serviceCidr }),
    "use-service-account-credentials": "true",
  };
}
