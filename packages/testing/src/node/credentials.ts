import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CertificateAuthority, loadCertificateAuthority } from "@rookery/pki";
import type { CertificateFiles } from "../kubernetes/certificates.ts";
import { writeKubeconfig } from "../kubernetes/kubeconfig.ts";

/** The users of the parts of a node. */
const clients = {
  kubelet: (node: string) => ({
    commonName: `system:node:${node}`,
    organizations: ["system:nodes"],
  }),
  "kube-proxy": () => ({ commonName: "system:kube-proxy" }),
  "kube-scheduler": () => ({ commonName: "system:kube-scheduler" }),
} as const;

export interface NodeCredentials {
  readonly kubeconfigs: Readonly<Record<keyof typeof clients, string>>;
  /** Files of the certificate that the kubelet serves with. */
  readonly serving: { readonly crt: string; readonly key: string };
}

export interface NodeIdentity {
  readonly folder: string;
  readonly name: string;
  readonly address: string;
  readonly server: string;
}

/** Makes a kubeconfig for each part of a node and the kubelet's serving certificate. */
export async function writeNodeCredentials(
  node: NodeIdentity,
  files: CertificateFiles,
): Promise<NodeCredentials> {
  const certificate = await readFile(files.crt("ca"), "utf8");
  const key = await readFile(files.key("ca"), "utf8");
  const ca = await loadCertificateAuthority({ certificate, key });
  const kubeconfig = async (client: keyof typeof clients) => {
    const file = join(node.folder, `${client}.kubeconfig`);
    const pair = await ca.issue({ ...clients[client](node.name), usages: ["client"] });
    const cluster = { server: node.server, ca: certificate };
    await writeKubeconfig(file, cluster, { name: client, ...pair });
    return file;
  };
  return {
    kubeconfigs: {
      kubelet: await kubeconfig("kubelet"),
      "kube-proxy": await kubeconfig("kube-proxy"),
      "kube-scheduler": await kubeconfig("kube-scheduler"),
    },
    serving: await writeServingCertificate(node, ca),
  };
}

async function writeServingCertificate(node: NodeIdentity, ca: CertificateAuthority) {
  const pair = await ca.issue({
    commonName: `system:node:${node.name}`,
    dnsNames: [node.name],
    ipAddresses: [node.address],
    usages: ["server"],
  });
  const crt = join(node.folder, "kubelet.crt");
  const key = join(node.folder, "kubelet.key");
  await writeFile(crt, pair.certificate);
  await writeFile(key, pair.key, { mode: 0o600 });
  return { crt, key };
}
