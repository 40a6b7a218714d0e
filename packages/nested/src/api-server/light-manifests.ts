import { type KubeObject, smallNodeEnvironment } from "@rookery/kube";
import type { Revision } from "../component/revision.ts";
import { argumentsOf } from "../manifests/arguments.ts";
import { deploymentOf } from "../manifests/deployment.ts";
import { disruptionBudgetOf } from "../manifests/disruption-budget.ts";
import type { PodTemplate } from "../manifests/kinds.ts";
import { identityOf, type ObjectIdentity, type Place } from "../manifests/object-identity.ts";
import {
  type Companions,
  liveness,
  pkiPath,
  podTemplateOf,
  probe,
  startup,
} from "../manifests/pod-template.ts";
import { apiServerPort, authoritySecret, leafSecret, serviceAccountSecret } from "../names.ts";
import type { LightStorage } from "./light-storage.ts";

export interface LightManifestOptions extends Place {
  readonly revision: Revision;
  readonly image: string;
  readonly replicas: number;
  readonly storage: LightStorage;
  readonly inputs: string;
  readonly companions?: Companions;
}

const dataVolume = "data";
const dataPath = "/var/lib/rookery";

/** It is ready when it has started. Each look is a handshake, and there may be many that rest on a small machine. */
const readiness = { periodSeconds: 2, failureThreshold: 3 };

/** The objects that an API server of the profile light is made of, but for its Service. */
export function lightManifests(options: LightManifestOptions): KubeObject[] {
  const identity = identityOf("apiserver", options);
  const { replicas, storage } = options;
  const template = templateOf(options, identity);
  return [
    ...(storage.type === "EmptyDir" ? [] : [claimOf(storage, identity)]),
    deploymentOf(identity, { replicas, template, oneAtATime: true }),
    disruptionBudgetOf(identity),
  ];
}

function claimOf(
  { size, storageClassName }: LightStorage,
  { metadata }: ObjectIdentity,
): KubeObject {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata,
    spec: {
      accessModes: ["ReadWriteOnce"],
      ...(storageClassName !== undefined && { storageClassName }),
      resources: { requests: { storage: size } },
    },
  };
}

function templateOf(options: LightManifestOptions, { metadata }: ObjectIdentity): PodTemplate {
  const { cluster, revision, image, inputs, storage } = options;
  const health = (path: string) => ({ path, port: apiServerPort, scheme: "HTTPS" }) as const;
  const source =
    storage.type === "EmptyDir"
      ? { emptyDir: {} }
      : { persistentVolumeClaim: { claimName: metadata.name } };
  return podTemplateOf({
    cluster,
    component: "apiserver",
    container: {
      image,
      args: ["local", "serve", ...argumentsOf(flagsOf(options), revision.extraArgs)],
      ports: [{ name: "https", containerPort: apiServerPort, protocol: "TCP" }],
      resources: revision.resources ?? { requests: { cpu: "25m", memory: "96Mi" } },
      startupProbe: probe(health("/livez"), startup),
      livenessProbe: probe(health("/livez"), liveness),
      readinessProbe: probe(health("/readyz"), readiness),
    },
    secrets: [
      { folder: "apiserver-serving", secret: leafSecret(cluster, "apiserver-serving") },
      { folder: "proxy", secret: leafSecret(cluster, "proxy") },
      { folder: "ca", secret: authoritySecret(cluster, "ca") },
      { folder: "sa", secret: serviceAccountSecret(cluster) },
    ],
    inputs,
    companions: options.companions,
    env: Object.entries(smallNodeEnvironment).map(([name, value]) => ({ name, value })),
    volumeMounts: [{ name: dataVolume, mountPath: dataPath }],
    volumes: [{ name: dataVolume, ...source }],
    terminationGracePeriodSeconds: 30,
  });
}

/** The same certificates as kube-apiserver and kube-controller-manager are given. */
function flagsOf({ revision }: LightManifestOptions): Record<string, string> {
  return {
    // A folder of its own in the volume, which is made as it has to be.
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
