import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { ConfigError } from "../errors.ts";
import type { ClientConfig } from "./client-config.ts";
import { contextConfig } from "./context.ts";
import { inClusterConfig } from "./in-cluster.ts";
import { type Kubeconfig, mergeKubeconfigs, readKubeconfig } from "./kubeconfig-file.ts";

export interface LoadOptions {
  /** A required kubeconfig; nothing else is read. */
  readonly path?: string;
  /** In place of current-context. */
  readonly context?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The mount of the service account in a pod. */
  readonly serviceAccountFolder?: string;
}

/**
 * Finds the API server, in this order: `path`, the files of KUBECONFIG, the pod's service account,
 * ~/.kube/config. Rejects with ConfigError.
 */
export async function loadConfig(options: LoadOptions = {}): Promise<ClientConfig> {
  const { env = process.env } = options;
  const explicit = Boolean(options.path);
  const named = explicit || namedFiles(env.KUBECONFIG).length > 0;
  if (!named && options.context === undefined) {
    const inPod = await inClusterIfPossible(options, env);
    if (inPod) return inPod;
  }
  const candidates = candidateFiles(options);
  const found = await readAll(candidates);
  if (found.length > 0)
    return contextConfig(mergeKubeconfigs(found), { context: options.context, env });
  const inPod = explicit ? undefined : await inClusterIfPossible(options, env);
  return inPod ?? Promise.reject(nothingFound(candidates, options));
}

/** The names of all contexts for `loadConfig`. Rejects with ConfigError. */
export async function listContexts(options: LoadOptions = {}): Promise<readonly string[]> {
  const found = await readAll(candidateFiles(options));
  return [...mergeKubeconfigs(found).contexts.keys()];
}

function candidateFiles({ path, env = process.env }: LoadOptions): readonly string[] {
  if (path) return [path];
  const named = namedFiles(env.KUBECONFIG);
  return named.length > 0 ? named : [join(env.HOME || homedir(), ".kube", "config")];
}

function namedFiles(variable: string | undefined): readonly string[] {
  const files = (variable ?? "").split(delimiter).filter((file) => file !== "");
  return [...new Set(files)];
}

async function readAll(files: readonly string[]): Promise<readonly Kubeconfig[]> {
  const read = await Promise.all(files.map(readKubeconfig));
  return read.filter((kubeconfig) => kubeconfig !== undefined);
}

async function inClusterIfPossible(
  { serviceAccountFolder: folder }: LoadOptions,
  env: NodeJS.ProcessEnv,
): Promise<ClientConfig | undefined> {
  try {
    return await inClusterConfig({ env, ...(folder && { folder }) });
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

function nothingFound(files: readonly string[], { path, env }: LoadOptions): ConfigError {
  const missing = `there is no such file: ${files.join(", ")}`;
  if (path) return new ConfigError(missing, { file: path });
  const inPod = (env ?? process.env).KUBERNETES_SERVICE_HOST
    ? "this pod has no service account token"
    : "this is not a pod";
  return new ConfigError(`${missing}, and ${inPod}; set KUBECONFIG or name a kubeconfig`);
}
