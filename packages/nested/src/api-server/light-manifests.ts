import { type KubeObject, smallNodeEnvironment } from "@rookery/kube";
import type { RenderOptions } from "../component/revision.ts";
import {
  claimOf,
  deploymentOf,
  disruptionBudgetOf,
  identityOf,
  type ObjectIdentity,
} from "../manifests/deployment.ts";
import type { PodTemplate } from "../manifests/kinds.ts";
import { pkiPath, podTemplateOf, serverProbes } from "../manifests/pod-template.ts";
import { apiServerPort, authoritySecret, leafSecret, serviceAccountSecret } from "../names.ts";
import type { LightStorage } from "./policies.ts";

export interface LightManifestOptions extends RenderOptions {
  readonly storage: LightStorage;
}

const dataVolume = "data";
const dataPath = "/var/lib/rookery";

/** Less often, as each probe is a handshake: many idle API servers may share a small machine. */
const readiness = { periodSeconds: 2, failureThreshold: 3 };

/** The objects of an API server of the profile light, besides its Service. */
export function lightManifests(options: LightManifestOptions): KubeObject[] {
  const identity = identityOf("apiserver", options);
  const { replicas, storage } = options;
  const template = templateOf(options, identity);
  return [
    ...(storage.type === "EmptyDir" ? [] : [claimOf(identity.metadata, storage)]),
    deploymentOf(identity, { replicas, template, oneAtATime: true }),
    disruptionBudgetOf(identity),
  ];
}

function templateOf(options: LightManifestOptions, { metadata }: ObjectIdentity): PodTemplate {
  const { cluster, storage } = options;
  const source =
    storage.type === "EmptyDir"
      ? { emptyDir: {} }
      : { persistentVolumeClaim: { claimName: metadata.name } };
  return podTemplateOf(options, {
    component: "apiserver",
    subcommand: ["local", "serve"],
    flags: flagsOf(options),
    ports: { https: apiServerPort },
    requests: { cpu: "25m", memory: "96Mi" },
    ...serverProbes(apiServerPort, "HTTPS", readiness),
    secrets: [
      { folder: "apiserver-serving", secret: leafSecret(cluster, "apiserver-serving") },
      { folder: "proxy", secret: leafSecret(cluster, "proxy") },
      { folder: "ca", secret: authoritySecret(cluster, "ca") },
      { folder: "sa", secret: serviceAccountSecret(cluster) },
    ],
    env: Object.entries(smallNodeEnvironment).map(([name, value]) => ({ name, value })),
    volumeMounts: [{ name: dataVolume, mountPath: dataPath }],
    volumes: [{ name: dataVolume, ...source }],
  });
}

/** The certificates are those of kube-apiserver and kube-controller-manager. */
function flagsOf({ revision }: LightManifestOptions): Record<string, string> {
  return {
    // A folder in the volume that the program creates itself.
    data: `${dataPath}/data`,
    address: "$(POD_IP)",
    port: String(apiServerPort),
    "client-ca-file": pkiPath("apiserver-serving", "ca.crt"),
    "cluster-signing-cert-file": pkiPath("ca", "tls.crt"),
    "cluster-signing-key-file": pkiPath("ca", "tls.key"),
    "proxy-client-cert-file": pkiPath("proxy", "tls.crt"),
    "proxy-client-key-file": pkiPath("proxy", "tls.key"),
    "requestheader-client-ca-file": pkiPath("proxy", "ca.crt"),
    "service-account-key-file": pkiPath("sa", "tls.crt"),
    "service-account-signing-key-file": pkiPath("sa", "tls.key"),
    "service-cluster-ip-range": revision.serviceCidr ?? "",
    "tls-cert-file": pkiPath("apiserver-serving", "tls.crt"),
    "tls-private-key-file": pkiPath("apiserver-serving", "tls.key"),
  };
}
