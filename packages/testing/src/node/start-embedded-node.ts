import { chmod, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { anyKubectl } from "../binaries/any-kubectl.ts";
import type { BinaryOptions } from "../binaries/binaries.ts";
import { ProcessEndedError } from "../errors.ts";
import { ApiServerProcess } from "../kubernetes/api-server-process.ts";
import { connectKubernetes } from "../kubernetes/connect.ts";
import { componentEnvironment } from "../kubernetes/environment.ts";
import { servedVersion } from "../kubernetes/served-version.ts";
import type { Kubernetes } from "../kubernetes.ts";
import { type Child, startChild } from "../process/child.ts";
import { lastLines } from "../process/last-lines.ts";
import { guard } from "../process/reaper.ts";
import { createTemporaryFolder } from "../process/temporary-folder.ts";
import { waitFor } from "../process/wait-for.ts";

/** The command, which tests start as a process and never import: it depends on packages above this one. */
export const rookeryMain = fileURLToPath(new URL("../../../cli/src/main.ts", import.meta.url));

/** Its pods have ten seconds to end before it does. */
const grace = 60_000;
const patience = 120_000;

/**
 * Starts the embedded Kubernetes with its node of processes, as `rookery local up` does, and waits until
 * the node is ready. Nothing of it is left when it is disposed of or this process ends in any way.
 */
export async function startEmbeddedNode(options: Required<BinaryOptions>): Promise<Kubernetes> {
  const kubectl = await anyKubectl(options);
  await using stack = new AsyncDisposableStack();
  const outer = stack.use(await createTemporaryFolder("embedded-node")).path;
  // Pods of other users run the programs of images in it; the data folder is closed by itself.
  await chmod(outer, 0o711);
  const folder = join(outer, "data");
  // If the reaper kills it, its pods remain until this command ends them.
  const down = [rookeryMain, "local", "down", "--data", folder];
  const release = await guard({ kind: "command", command: process.execPath, args: down });
  stack.defer(() => release());
  options.progress("starting the embedded Kubernetes");
  const apiServer = new ApiServerProcess(() => startUp(folder, join(outer, "up.log")));
  stack.defer(() => apiServer.stop());
  await apiServer.start();
  await mkdir(join(folder, "logs"), { recursive: true });
  const { url: server } = await readRun(folder);
  const version = await servedVersion(server, folder);
  const description = { flavour: "embedded", controllerManager: true } as const;
  const owned = stack.move();
  return connectKubernetes(
    { ...description, version, server, folder, kubectl },
    { apiServer, dispose: () => owned.disposeAsync() },
  );
}

async function startUp(folder: string, log: string): Promise<Child> {
  const port = await readRun(folder).then(
    (run) => run.port,
    () => 0,
  );
  const args = ["local", "up", "--foreground", "--data", folder, "--port", String(port)];
  const child = await startChild({
    name: "rookery local up",
    command: process.execPath,
    args: [rookeryMain, ...args],
    env: componentEnvironment(),
    log,
    grace,
  });
  const isReady = async () => {
    child.assertRunning();
    return (await readRun(folder)).pid === child.pid;
  };
  try {
    await waitFor(isReady, {
      what: "the embedded Kubernetes and its node to be ready",
      timeout: patience,
      fatal: (error) => error instanceof ProcessEndedError,
      detail: () => lastLines(log),
    });
    return child;
  } catch (error) {
    await child.stop();
    throw error;
  }
}

interface Run {
  readonly pid: number;
  readonly port: number;
  readonly url: string;
}

/** The description that it writes when it is ready. */
async function readRun(folder: string): Promise<Run> {
  return JSON.parse(await readFile(join(folder, "local.json"), "utf8")) as Run;
}
