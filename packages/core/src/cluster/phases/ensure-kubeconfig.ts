import type { Cluster } from "@rookery/api";
import { type Client, ignoreAlreadyExists } from "@rookery/client";
import { clusterNameLabel, clusterSecretType } from "@rookery/cluster-api";
import { ownerReferenceTo } from "@rookery/kube";
import { createKubeconfig, loadCertificateAuthority } from "@rookery/pki";
import { stringify } from "yaml";
import {
  decode,
  kubeconfigSecret,
  readSecret,
  type Secret,
} from "../../remote/kubeconfig-secret.ts";
import { secrets } from "../../resources.ts";

const yearSeconds = 365 * 24 * 60 * 60;

/**
 * Creates the kubeconfig of a Cluster without a control plane object, signed by the authority in the Secret
 * `<cluster>-ca`. An existing kubeconfig stays as it is.
 */
export async function ensureKubeconfig(
  client: Client,
  cluster: Cluster,
): Promise<"exists" | "NoAuthority"> {
  const { name = "", namespace = "" } = cluster.metadata;
  const key = { namespace, name: kubeconfigSecret(name) };
  if (await readSecret(client, key)) return "exists";
  const authority = await readSecret(client, { namespace, name: `${name}-ca` });
  if (!authority) return "NoAuthority";
  const secret: Secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      ...key,
      labels: { [clusterNameLabel]: name },
      ownerReferences: [ownerReferenceTo(cluster)],
    },
    type: clusterSecretType,
    data: { value: encode(await adminKubeconfig(cluster, authority)) },
  };
  await ignoreAlreadyExists(client.resource<Secret>(secrets).create(secret));
  return "exists";
}

async function adminKubeconfig(
  { metadata, spec }: Cluster,
  { data = {} }: Secret,
): Promise<string> {
  const authority = await loadCertificateAuthority({
    certificate: decode(data["tls.crt"]),
    key: decode(data["tls.key"]),
  });
  const credentials = await authority.issue({
    commonName: "kubernetes-admin",
    organizations: ["system:masters"],
    usages: ["client"],
    lifetimeSeconds: yearSeconds,
  });
  const { host = "", port } = spec.controlPlaneEndpoint ?? {};
  const { name = "" } = metadata;
  const kubeconfig = createKubeconfig({
    clusterName: name,
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    certificateAuthority: authority.certificate,
    userName: `${name}-admin`,
    credentials,
  });
  return stringify(kubeconfig, { lineWidth: 0 });
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64");
}
