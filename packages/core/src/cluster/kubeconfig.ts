import type { Cluster } from "@rookery/api";
import { type Client, getOptional, ignoreAlreadyExists } from "@rookery/client";
import { clusterNameLabel, clusterSecretType } from "@rookery/cluster-api";
import { type KubeObject, type ObjectKey, ownerReferenceTo } from "@rookery/kube";
import { createKubeconfig, loadCertificateAuthority } from "@rookery/pki";
import { stringify } from "yaml";
import { kubeconfigSecret } from "../remote/controller.ts";
import { secrets } from "../resources.ts";

interface Secret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

const yearSeconds = 365 * 24 * 60 * 60;

/** Reads a Secret from the server; undefined where it is not there. */
export function readSecret(client: Client, key: ObjectKey): Promise<Secret | undefined> {
  return getOptional(client.resource<Secret>(secrets), key);
}

/**
 * Makes the kubeconfig of a cluster whose control plane is no object of its own, signed by the
 * authority in the Secret `<cluster>-ca`; one that is there stays as it is.
 */
export async function ensureKubeconfig(
  client: Client,
  cluster: Cluster,
): Promise<"there" | "NoAuthority"> {
  const { name = "", namespace = "" } = cluster.metadata;
  const key = { namespace, name: kubeconfigSecret(name) };
  if (await readSecret(client, key)) return "there";
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
  return "there";
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

export function decode(text = ""): string {
  return Buffer.from(text, "base64").toString("utf8");
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64");
}
