import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Child } from "../process/child.ts";
import type { Progress } from "../progress.ts";
import type { CertificateFiles } from "./certificates.ts";
import { componentEnvironment } from "./environment.ts";
import { startHealthyChild } from "./readiness.ts";

/** Which audit events are written to `audit.log` in the folder of the logs. */
export type AuditLevel = "Metadata" | "Request" | "RequestResponse";

export interface ApiServerOptions {
  readonly binary: string;
  readonly folder: string;
  readonly logs: string;
  readonly etcd: string;
  readonly files: CertificateFiles;
  readonly address: string;
  readonly port: number;
  /** The range of cluster IPs. */
  readonly services: string;
  readonly audit?: AuditLevel | undefined;
  /** Come last, hence win. */
  readonly extraArgs?: readonly string[] | undefined;
  readonly progress: Progress;
}

/** Starts a kube-apiserver and waits until /readyz says so. */
export async function startApiServer(options: ApiServerOptions): Promise<Child> {
  const child = {
    name: "kube-apiserver",
    command: options.binary,
    args: [
      ...addressArgs(options),
      ...authenticationArgs(options.files),
      ...aggregationArgs(options.files),
      ...(await auditArgs(options)),
      `--etcd-servers=${options.etcd}`,
      "--authorization-mode=Node,RBAC",
      `--service-cluster-ip-range=${options.services}`,
      "--allow-privileged=true",
      "--profiling=false",
      ...(options.extraArgs ?? []),
    ],
    env: componentEnvironment(),
    log: join(options.logs, "kube-apiserver.log"),
  };
  return startHealthyChild(child, {
    url: `https://${options.address}:${options.port}/readyz`,
    ca: await readFile(options.files.crt("ca"), "utf8"),
    progress: options.progress,
  });
}

function addressArgs(options: ApiServerOptions): string[] {
  const loopback = options.address.startsWith("127.");
  return [
    `--bind-address=${options.address}`,
    `--secure-port=${options.port}`,
    `--advertise-address=${options.address}`,
    // Endpoints may not hold a loopback address: the reconciler would log its failure for ever.
    ...(loopback ? ["--endpoint-reconciler-type=none"] : []),
  ];
}

function authenticationArgs(files: CertificateFiles): string[] {
  return [
    `--tls-cert-file=${files.crt("apiserver")}`,
    `--tls-private-key-file=${files.key("apiserver")}`,
    `--client-ca-file=${files.crt("ca")}`,
    `--kubelet-client-certificate=${files.crt("apiserver-kubelet-client")}`,
    `--kubelet-client-key=${files.key("apiserver-kubelet-client")}`,
    "--kubelet-preferred-address-types=InternalIP",
    "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
    `--service-account-key-file=${files.crt("service-account")}`,
    `--service-account-signing-key-file=${files.key("service-account")}`,
  ];
}

function aggregationArgs(files: CertificateFiles): string[] {
  return [
    `--requestheader-client-ca-file=${files.crt("front-proxy-ca")}`,
    "--requestheader-allowed-names=front-proxy-client",
    "--requestheader-extra-headers-prefix=X-Remote-Extra-",
    "--requestheader-group-headers=X-Remote-Group",
    "--requestheader-username-headers=X-Remote-User",
    `--proxy-client-cert-file=${files.crt("front-proxy-client")}`,
    `--proxy-client-key-file=${files.key("front-proxy-client")}`,
    // Straight to the endpoints: without a node there is no route to cluster IPs.
    "--enable-aggregator-routing=true",
  ];
}

async function auditArgs(options: ApiServerOptions): Promise<string[]> {
  if (!options.audit) return [];
  const policy = join(options.folder, "audit-policy.yaml");
  const rules = [{ level: options.audit, omitStages: ["RequestReceived"] }];
  await writeFile(policy, JSON.stringify({ apiVersion: "audit.k8s.io/v1", kind: "Policy", rules }));
  return [`--audit-policy-file=${policy}`, `--audit-log-path=${join(options.logs, "audit.log")}`];
}
