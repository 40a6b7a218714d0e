import { mkdir, writeFile } from "node:fs/promises";
import { get as httpGet } from "node:http";
import { get as httpsGet } from "node:https";
import { join } from "node:path";
import {
  type CertificateAuthority,
  createCertificateAuthority,
  createKeyPair,
  createKubeconfig,
} from "@rookery/pki";
import {
  type Binaries,
  type Child,
  createTemporaryFolder,
  startChild,
  waitFor,
} from "@rookery/testing";

type Programs = Binaries<"etcd" | "kube-apiserver" | "kube-controller-manager">;

/**
 * What a control plane needs without anybody to manage it: certificates, then etcd, kube-apiserver and
 * kube-controller-manager, each as soon as the one before is ready. Returns the seconds until the last
 * one is; then all of it ends.
 */
export async function timeBareBinaries(programs: Programs, address: string): Promise<number> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder("bare")).path;
  const started = performance.now();
  const file = await writePki(folder, address);
  const run = async (program: keyof Programs, flags: Readonly<Record<string, string>>) => {
    const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
    const log = join(folder, `${program}.log`);
    const child = await startChild({ name: program, command: programs[program], args, log });
    stack.defer(() => child.kill());
    return child;
  };
  const etcd = await run("etcd", etcdFlags(folder, address, file));
  await answers(etcd, `http://${address}:2381/readyz`);
  const apiServer = await run("kube-apiserver", apiServerFlags(address, file));
  await answers(apiServer, `https://${address}:6443/readyz`);
  const manager = await run("kube-controller-manager", managerFlags(address, file));
  await answers(manager, `https://${address}:10257/healthz`);
  return (performance.now() - started) / 1000;
}

type FileOf = (name: string) => string;

function etcdFlags(folder: string, address: string, file: FileOf) {
  const [client, peer] = [`https://${address}:2379`, `https://${address}:2380`];
  return {
    name: "bare",
    "data-dir": join(folder, "data"),
    "listen-client-urls": client,
    "advertise-client-urls": client,
    "listen-peer-urls": peer,
    "initial-advertise-peer-urls": peer,
    "initial-cluster": `bare=${peer}`,
    "listen-metrics-urls": `http://${address}:2381`,
    "cert-file": file("etcd.crt"),
    "key-file": file("etcd.key"),
    "trusted-ca-file": file("ca.crt"),
    "client-cert-auth": "true",
    "peer-cert-file": file("etcd.crt"),
    "peer-key-file": file("etcd.key"),
    "peer-trusted-ca-file": file("ca.crt"),
    "peer-client-cert-auth": "true",
  };
}

function apiServerFlags(address: string, file: FileOf) {
  return {
    "advertise-address": address,
    "bind-address": address,
    "secure-port": "6443",
    "authorization-mode": "Node,RBAC",
    "client-ca-file": file("ca.crt"),
    "enable-admission-plugins": "NodeRestriction",
    "endpoint-reconciler-type": "none",
    "etcd-cafile": file("ca.crt"),
    "etcd-certfile": file("etcd.crt"),
    "etcd-keyfile": file("etcd.key"),
    "etcd-servers": `https://${address}:2379`,
    "service-account-issuer": "https://kubernetes.default.svc.cluster.local",
    "service-account-key-file": file("sa.pub"),
    "service-account-signing-key-file": file("sa.key"),
    "service-cluster-ip-range": "10.96.0.0/12",
    "tls-cert-file": file("apiserver.crt"),
    "tls-private-key-file": file("apiserver.key"),
  };
}

function managerFlags(address: string, file: FileOf) {
  const kubeconfig = file("manager.kubeconfig");
  return {
    "authentication-kubeconfig": kubeconfig,
    "authorization-kubeconfig": kubeconfig,
    "bind-address": address,
    "client-ca-file": file("ca.crt"),
    "cluster-signing-cert-file": file("ca.crt"),
    "cluster-signing-key-file": file("ca.key"),
    kubeconfig,
    "leader-elect": "true",
    "root-ca-file": file("ca.crt"),
    "secure-port": "10257",
    "service-account-private-key-file": file("sa.key"),
    "use-service-account-credentials": "true",
  };
}

async function writePki(folder: string, address: string): Promise<FileOf> {
  const pki = join(folder, "pki");
  const file: FileOf = (name) => join(pki, name);
  await mkdir(pki);
  const ca = await createCertificateAuthority({ commonName: "bare" });
  const accounts = await createKeyPair();
  await writeFile(file("ca.crt"), ca.certificate);
  await writeFile(file("ca.key"), ca.key);
  await writeFile(file("sa.pub"), accounts.publicKey);
  await writeFile(file("sa.key"), accounts.privateKey);
  for (const name of ["etcd", "apiserver"]) {
    const names = { commonName: name, ipAddresses: [address, "127.0.0.1"] };
    const pair = await ca.issue({ ...names, usages: ["server", "client"] });
    await writeFile(file(`${name}.crt`), pair.certificate);
    await writeFile(file(`${name}.key`), pair.key);
  }
  await writeFile(file("manager.kubeconfig"), await managerKubeconfig(ca, address));
  return file;
}

async function managerKubeconfig(ca: CertificateAuthority, address: string): Promise<string> {
  const userName = "system:kube-controller-manager";
  const credentials = await ca.issue({ commonName: userName, usages: ["client"] });
  const server = `https://${address}:6443`;
  const certificateAuthority = ca.certificate;
  const options = { clusterName: "bare", server, certificateAuthority, userName, credentials };
  return JSON.stringify(createKubeconfig(options));
}

async function answers(child: Child, url: string): Promise<void> {
  const get = url.startsWith("https:") ? httpsGet : httpGet;
  const ask = () =>
    new Promise<boolean>((resolve) => {
      const settings = { rejectUnauthorized: false, agent: false as const, timeout: 5_000 };
      const request = get(url, settings, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      });
      request.once("timeout", () => request.destroy());
      request.once("error", () => resolve(false));
    });
  await waitFor(
    () => {
      child.assertRunning();
      return ask();
    },
    { what: `${child.name} to be ready`, timeout: 300_000 },
  );
}
