import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PortInUseError, ProcessEndedError } from "../errors.ts";
import type { ApiServerControl } from "../kubernetes.ts";
import type { Child } from "../process/child.ts";
import type { Progress } from "../progress.ts";
import { ApiServerProcess } from "./api-server-process.ts";
import { certificateFiles } from "./certificates.ts";
import { pkiFolder } from "./description.ts";
import { componentEnvironment } from "./environment.ts";
import { assertPortIsFree, freePort, isPortTaken } from "./ports.ts";
import { startHealthyChild } from "./readiness.ts";

const program = fileURLToPath(new URL("../../../cli/src/main.ts", import.meta.url));
const address = "127.0.0.1";
const attempts = 5;

export interface EmbeddedOptions {
  /** Holds its data too, and is the folder of `KubernetesDescription`. */
  readonly folder: string;
  readonly port?: number | undefined;
  readonly audit: boolean;
  /** Whether it runs the controllers of kube-controller-manager. */
  readonly controllerManager: boolean;
  /** As kube-apiserver takes them; one that the embedded one does not know stops it. */
  readonly apiServerArgs?: readonly string[] | undefined;
  readonly progress: Progress;
}

export interface EmbeddedServer extends AsyncDisposable {
  readonly server: string;
  readonly apiServer: ApiServerControl;
}

/** Starts `rookery local serve` as a process of its own and waits until it is ready. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  if (options.port !== undefined) await assertPortIsFree(options.port, address);
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort(address));
    try {
      return await startAt(port, options);
    } catch (error) {
      // Another process may take a port between the check and the start of the server.
      const isBusy = error instanceof ProcessEndedError && (await isPortTaken(port, address));
      if (!isBusy) throw error;
      if (options.port !== undefined) throw new PortInUseError(options.port, error);
      if (attempt === attempts) throw error;
    }
  }
}

async function startAt(port: number, options: EmbeddedOptions): Promise<EmbeddedServer> {
  const apiServer = new ApiServerProcess(() => startServer(port, options));
  await apiServer.start();
  return {
    server: `https://${address}:${port}`,
    apiServer,
    [Symbol.asyncDispose]: () => apiServer.stop({ kill: true }),
  };
}

function startServer(port: number, options: EmbeddedOptions): Promise<Child> {
  const { folder, progress, audit, controllerManager, apiServerArgs = [] } = options;
  const logs = join(folder, "logs");
  const child = {
    name: "rookery local serve",
    command: process.execPath,
    args: [
      ...[program, "local", "serve", "--data", folder, "--address", address, "--port", `${port}`],
      ...(audit ? ["--audit-log-path", join(logs, "audit.log")] : []),
      ...(controllerManager ? [] : ["--no-controller-manager"]),
      ...apiServerArgs,
    ],
    env: componentEnvironment(),
    log: join(logs, "rookery-local-serve.log"),
  };
  const files = certificateFiles(pkiFolder(folder));
  return startHealthyChild(child, {
    url: `https://${address}:${port}/readyz`,
    // It makes its authority itself, before it listens.
    ca: () => readFileSync(files.crt("ca"), "utf8"),
    progress,
  });
}
