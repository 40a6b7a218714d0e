import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { validateDns1123Label } from "@rookery/kube";
import { ConfigError } from "../errors.ts";
import type { ClientConfig } from "./client-config.ts";
import { clusterConfig } from "./cluster.ts";
import type { Fields } from "./fields.ts";
import { inClusterConfig } from "./in-cluster.ts";
import { type Kubeconfig, mergeKubeconfigs, readKubeconfig } from "./kubeconfig-file.ts";
import { userConfig } from "./user.ts";

export interface LoadOptions {
  /** A kubeconfig that must be there; nothing else is looked at. */
  readonly path?: string;
  /** The context to use instead of current-context. */
  readonly context?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Where the files of the service account are mounted in a pod. */
  readonly serviceAccountFolder?: string;
}

/**
 * Finds out how to reach the API server, in this order: `path`, the files in KUBECONFIG, the pod's
 * service account, ~/.kube/config. Rejects with ConfigError.
 */
export async function loadConfig(options: LoadOptions = {}): Promise<ClientConfig> {
  const { env = process.env } = options;
  const explicit = options.path ? [options.path] : undefined;
  const named = explicit ?? namedFiles(env.KUBECONFIG);
  if (named.length === 0 && options.context === undefined) {
    const inPod = await inClusterIfPossible(options, env);
    if (inPod) return inPod;
  }
  const candidates = named.length > 0 ? named : [join(env.HOME || homedir(), ".kube", "config")];
  const found = await readAll(candidates);
  if (found.length > 0) return contextConfig(mergeKubeconfigs(found), options);
  const inPod = explicit ? undefined : await inClusterIfPossible(options, env);
  return inPod ?? Promise.reject(nothingFound(candidates, options));
}

/** One context of a kubeconfig: its cluster, its user and its namespace. */
async function contextConfig(kubeconfig: Kubeconfig, options: LoadOptions): Promise<ClientConfig> {
  const [context, fields] = contextOf(kubeconfig, options.context);
  const cluster = referenceOf(fields, "cluster", kubeconfig.clusters).at({ context });
  const user = referenceOf(fields, "user", kubeconfig.users).at({ context });
  const namespace = fields.string("namespace") ?? "default";
  if (validateDns1123Label(namespace).length > 0) {
    throw fields.fail("namespace", `${JSON.stringify(namespace)} is not a name of a namespace`);
  }
  return {
    ...(await clusterConfig(cluster, options.env ?? process.env)),
    namespace,
    user: await userConfig(user),
    place: { ...cluster.place, ...user.place },
  };
}

function contextOf(kubeconfig: Kubeconfig, wanted: string | undefined): [string, Fields] {
  const name = wanted ?? kubeconfig.currentContext;
  const file = kubeconfig.files.join(", ");
  const known = `it has ${listOf([...kubeconfig.contexts.keys()])}`;
  if (name === undefined) {
    const wayOut = "name one, or choose it with `kubectl config use-context`";
    throw new ConfigError(`${wayOut}; ${known}`, { file, field: "current-context" });
  }
  const fields = kubeconfig.contexts.get(name);
  if (fields) return [name, fields];
  throw new ConfigError(`there is no such context; ${known}`, { file, context: name });
}

function referenceOf(
  context: Fields,
  noun: "cluster" | "user",
  entries: ReadonlyMap<string, Fields>,
): Fields {
  const name = context.string(noun);
  if (name === undefined) throw context.fail(noun, "it is missing");
  const entry = entries.get(name);
  if (entry) return entry;
  const known = `the kubeconfig has ${listOf([...entries.keys()])}`;
  throw context.fail(noun, `there is no ${noun} ${JSON.stringify(name)}; ${known}`);
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.map((name) => JSON.stringify(name)).join(", ");
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
