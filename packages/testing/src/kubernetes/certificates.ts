import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CertificateAndKey, createCertificateAuthority, createKeyPair } from "@rookery/pki";

/** Where the certificates of a Kubernetes lie: `<folder>/<name>.crt` and `<name>.key`. */
export interface CertificateFiles {
  readonly folder: string;
  crt(name: CertificateName): string;
  key(name: CertificateName): string;
}

export type CertificateName =
  | "ca"
  | "front-proxy-ca"
  | "front-proxy-client"
  | "apiserver"
  | "apiserver-kubelet-client"
  | "admin"
  | "controller-manager"
  | "service-account";

export function certificateFiles(folder: string): CertificateFiles {
  return {
    folder,
    crt: (name) => join(folder, `${name}.crt`),
    key: (name) => join(folder, `${name}.key`),
  };
}

/** Makes all keys and certificates of a control plane that is reached at these addresses. */
export async function writeCertificates(
  folder: string,
  addresses: readonly string[],
): Promise<CertificateFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = certificateFiles(folder);
  const write = async (name: CertificateName, pair: CertificateAndKey) => {
    await writeFile(files.crt(name), pair.certificate);
    await writeFile(files.key(name), pair.key, { mode: 0o600 });
  };
  const ca = await createCertificateAuthority({ commonName: "kubernetes" });
  const frontProxy = await createCertificateAuthority({ commonName: "front-proxy" });
  const client = (commonName: string, ...organizations: string[]) =>
    ca.issue({ commonName, organizations, usages: ["client"] });
  await Promise.all([
    write("ca", ca),
    write("front-proxy-ca", frontProxy),
    write("apiserver", await ca.issue(servingCertificate(addresses))),
    write("admin", await client("kubernetes-admin", "system:masters")),
    write(
      "apiserver-kubelet-client",
      await client("kube-apiserver-kubelet-client", "system:masters"),
    ),
    write("controller-manager", await client("system:kube-controller-manager")),
    write(
      "front-proxy-client",
      await frontProxy.issue({ commonName: "front-proxy-client", usages: ["client"] }),
    ),
    writeServiceAccountKeys(files),
  ]);
  return files;
}

function servingCertificate(addresses: readonly string[]) {
  const service = ["kubernetes", "kubernetes.default", "kubernetes.default.svc"];
  return {
    commonName: "kube-apiserver",
    dnsNames: ["localhost", ...service, "kubernetes.default.svc.cluster.local"],
    ipAddresses: addresses,
    usages: ["server" as const],
  };
}

async function writeServiceAccountKeys(files: CertificateFiles): Promise<void> {
  const pair = await createKeyPair();
  await writeFile(files.crt("service-account"), pair.publicKey);
  await writeFile(files.key("service-account"), pair.privateKey, { mode: 0o600 });
}
