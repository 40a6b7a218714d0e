import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Binaries } from "../binaries/binaries.ts";
import type { BinaryName } from "../binaries/recipe.ts";
import { PortInUseError, ProcessEndedError } from "../errors.ts";
import type { ApiServerControl } from "../kubernetes.ts";
import { type Child, startChild } from "../process/child.ts";
import type { Progress } from "../progress.ts";
import { type AuditLevel, startApiServer } from "./api-server.ts";
import { ApiServerProcess } from "./api-server-process.ts";
import { type CertificateFiles, type CertificateName, writeCertificates } from "./certificates.ts";
import { pkiFolder } from "./description.ts";
import { componentEnvironment } from "./environment.ts";
import { startEtcd } from "./etcd.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { assertPortIsFree, freePort } from "./ports.ts";

const attempts = 5;
const defaultServices = "10.0.0.0/24";

export interface ControlPlaneOptions {
  readonly binaries: Binaries<"etcd" | "kube-apiserver"> & Partial<Binaries<BinaryName>>;
  readonly folder: string;
  /** Where the API server listens; etcd stays on loopback. */
  readonly address: string;
  /** The range of cluster IPs, a /24. */
  readonly services?: string;
  readonly port?: number | undefined;
  /** How a free port is found; for tests of what happens when it is not. */
  readonly findPort?: typeof freePort;
  readonly apiServerArgs?: readonly string[] | undefined;
  readonly controllerManagerArgs?: readonly string[] | undefined;
  readonly audit?: AuditLevel | undefined;
  readonly progress: Progress;
}

export interface ControlPlane extends AsyncDisposable {
  readonly server: string;
  readonly files: CertificateFiles;
  readonly apiServer: ApiServerControl;
}

/**
 * Starts etcd, the API server and, where its binary is given, the controller manager in a folder;
 * their data goes away with the folder.
 */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  if (options.port !== undefined) await assertPortIsFree(options.port, options.address);
  const services = options.services ?? defaultServices;
  // The first address of the range is that of the Service "kubernetes".
  const addresses = new Set(["127.0.0.1", services.replace(/0\/24$/, "1"), options.address]);
  const files = await writeCertificates(pkiFolder(options.folder), [...addresses]);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startProcesses(options, files);
    } catch (error) {
      if (!isPortTaken(error)) throw error;
      if (options.port !== undefined) throw new PortInUseError(options.port, error);
      if (attempt === attempts) throw error;
      options.progress("a port was taken in the meantime; trying others");
    }
  }
}

/** Between asking the kernel for a free port and listening there, someone else may have taken it. */
function isPortTaken(error: unknown): boolean {
  return error instanceof ProcessEndedError && error.log.includes("address already in use");
}

async function startProcesses(
  options: ControlPlaneOptions,
  files: CertificateFiles,
): Promise<ControlPlane> {
  const { folder, binaries, address, progress } = options;
  const logs = join(folder, "logs");
  await rm(join(folder, "etcd"), { recursive: true, force: true });
  await mkdir(logs, { recursive: true });
  const port = options.port ?? (await (options.findPort ?? freePort)(address));
  const server = `https://${address}:${port}`;

  await using stack = new AsyncDisposableStack();
  const etcd = await startEtcd({ binary: binaries.etcd, folder, logs });
  stack.defer(() => etcd.child.kill());
  const { audit, apiServerArgs: extraArgs } = options;
  const services = options.services ?? defaultServices;
  const at = { folder, logs, etcd: etcd.url, files, address, port, services, progress };
  const binary = binaries["kube-apiserver"];
  const apiServer = new ApiServerProcess(() => startApiServer({ binary, audit, extraArgs, ...at }));
  stack.defer(() => apiServer.stop({ kill: true }));
  await apiServer.start();
  await writeKubeconfigs(folder, files, server);
  const extra = options.controllerManagerArgs ?? [];
  const controllers = { binary: binaries["kube-controller-manager"], folder, files };
  await startControllers(stack, { ...controllers, extraArgs: extra });
  const owned = stack.move();
  return { server, files, apiServer, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function writeKubeconfigs(
  folder: string,
  files: CertificateFiles,
  server: string,
): Promise<void> {
  const ca = await readFile(files.crt("ca"), "utf8");
  const write = async (file: string, name: CertificateName) => {
    const certificate = await readFile(files.crt(name), "utf8");
    const key = await readFile(files.key(name), "utf8");
    await writeKubeconfig(join(folder, file), { server, ca }, { name, certificate, key });
  };
  await write("kubeconfig", "admin");
  await write("controller-manager.kubeconfig", "controller-manager");
}

async function startControllers(
  stack: AsyncDisposableStack,
  options: {
    binary: string | undefined;
    folder: string;
    files: CertificateFiles;
    extraArgs: readonly string[];
  },
): Promise<void> {
  const { binary, folder, files, extraArgs } = options;
  if (!binary) return;
  const kubeconfig = join(folder, "controller-manager.kubeconfig");
  const logs = join(folder, "logs");
  const child = await startControllerManager({
    binary,
    folder,
    kubeconfig,
    logs,
    files,
    extraArgs,
  });
  stack.defer(() => child.kill());
}

interface ControllerManagerOptions {
  readonly binary: string;
  readonly folder: string;
  readonly kubeconfig: string;
  readonly logs: string;
  readonly files: CertificateFiles;
  readonly extraArgs: readonly string[];
}

/** Starts a kube-controller-manager: garbage collection, namespaces, service accounts and the rest. */
function startControllerManager(options: ControllerManagerOptions): Promise<Child> {
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
