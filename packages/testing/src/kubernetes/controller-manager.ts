import { join } from "node:path";
import { type Child, startChild } from "../process/child.ts";
import type { CertificateFiles } from "./certificates.ts";
import { componentEnvironment } from "./environment.ts";

export interface ControllerManagerOptions {
  readonly binary: string;
  readonly folder: string;
  readonly kubeconfig: string;
  readonly logs: string;
  readonly files: CertificateFiles;
  readonly extraArgs: readonly string[];
}

/** Starts a kube-controller-manager: garbage collection, namespaces, service accounts and the rest. */
export function startControllerManager(options: ControllerManagerOptions): Promise<Child> {
  const { files } = options;
  return startChild({
    name: "kube-controller-manager",
    command: options.binary,
    args: [
      `--kubeconfig=${options.kubeconfig}`,
      `--root-ca-file=${files.crt("ca")}`,
      `--service-account-private-key-file=${files.key("service-account")}`,
      `--cluster-signing-cert-file=${files.crt("ca")}`,
      `--cluster-signing-key-file=${files.key("ca")}`,
      "--use-service-account-credentials=true",
      "--leader-elect=false",
      // It serves nothing that a test reads, and so needs no port.
      "--secure-port=0",
      "--kube-api-qps=500",
      "--kube-api-burst=1000",
      "--profiling=false",
      `--flex-volume-plugin-dir=${join(options.folder, "volume-plugins")}`,
      ...options.extraArgs,
    ],
    env: componentEnvironment(),
    log: join(options.logs, "kube-controller-manager.log"),
  });
}
