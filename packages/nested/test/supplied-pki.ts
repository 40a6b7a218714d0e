import type { Client } from "@rookery/client";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { createCertificateAuthority, createKeyPair } from "@rookery/pki";

const algorithm = "rsa-2048";

/**
 * Authorities and keys as somebody would make them with openssl, in the Secrets that Cluster API names, and
 * two certificates that nobody may change, without what a control plane adds to its own.
 */
export async function supplyPki(admin: Client, namespace: string, name: string): Promise<void> {
  const authority = async (commonName: string) => {
    const made = await createCertificateAuthority({ commonName, keyAlgorithm: algorithm });
    return { made, texts: { "tls.crt": made.certificate, "tls.key": made.key } };
  };
  const [ca, etcd, proxy] = [
    await authority("Kubernetes API"),
    await authority("ETCD CA"),
    await authority("Front-End Proxy"),
  ];
  const client = async ({ made }: typeof ca, commonName: string) => {
    const { certificate, key } = await made.issue({ commonName, usages: ["client"] });
    return { "tls.crt": certificate, "tls.key": key };
  };
  const account = await createKeyPair(algorithm);
  const all = {
    ca: ca.texts,
    etcd: etcd.texts,
    proxy: proxy.texts,
    sa: { "tls.crt": account.publicKey, "tls.key": account.privateKey },
    "proxy-client-cert": await client(proxy, "front-proxy-client"),
    "controller-manager-client-cert": await client(ca, "system:kube-controller-manager"),
  };
  for (const [purpose, stringData] of Object.entries(all)) {
    await admin
      .resource<KubeObject & { type: string; immutable: boolean; stringData: object }>(
        builtInResources.secrets,
      )
      .create({
        apiVersion: "v1",
        kind: "Secret",
        metadata: {
          namespace,
          name: `${name}-${purpose}`,
          labels: { "cluster.x-k8s.io/cluster-name": name },
        },
        type: "cluster.x-k8s.io/secret",
        immutable: purpose.endsWith("-cert"),
        stringData,
      });
  }
}
