import type { Client } from "@rookery/client";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { createCertificateAuthority, createKeyPair } from "@rookery/pki";

const algorithm = "rsa-2048";

/** Authorities and keys as somebody would make them with openssl, in the Secrets that Cluster API names. */
export async function supplyPki(client: Client, namespace: string, name: string): Promise<void> {
  const authority = async (commonName: string) => {
    const made = await createCertificateAuthority({ commonName, keyAlgorithm: algorithm });
    return { "tls.crt": made.certificate, "tls.key": made.key };
  };
  const account = await createKeyPair(algorithm);
  const all = {
    ca: await authority("Kubernetes API"),
    etcd: await authority("ETCD CA"),
    proxy: await authority("Front-End Proxy"),
    sa: { "tls.crt": account.publicKey, "tls.key": account.privateKey },
  };
  for (const [purpose, stringData] of Object.entries(all)) {
    await client.resource<KubeObject & { stringData: object }>(builtInResources.secrets).create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        namespace,
        name: `${name}-${purpose}`,
        labels: { "cluster.x-k8s.io/cluster-name": name },
      },
      ...{ type: "cluster.x-k8s.io/secret" },
      stringData,
    });
  }
}
